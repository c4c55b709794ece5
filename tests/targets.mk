# Checks beside `make check`: another compiler, valgrind, fuzzing, and the promised costs.
VALGRIND = valgrind --quiet --leak-check=full --errors-for-leak-kinds=definite --error-exitcode=99

.PHONY: corpus-check clang-check valgrind-check fuzz bench

# In a folder of its own below the build folder.
clang-check:
	$(MKDIR_P) clang-check
	cd clang-check && $(abs_top_srcdir)/configure --quiet --enable-werror CC=clang CXX=clang++
	cd clang-check && $(MAKE) check

# Forking tests would be checked twice and hide leaks. test-workload is about pidfd_open(2), which valgrind 3.19 lacks.
valgrind-check: $(UNIT_TESTS)
	@failed=; for test in $(UNIT_TESTS); do \
		echo "valgrind $$test"; \
		test $$test != test-workload || { echo "left out: pidfd_open(2)"; continue; }; \
		CK_FORK=no PSTAT_SRCDIR=$(abs_top_srcdir) $(VALGRIND) ./$$test || failed="$$failed $$test"; \
	done; \
	test -z "$$failed" || { echo "failed under valgrind:$$failed" >&2; exit 1; }

fuzz:
	$(MKDIR_P) fuzz-build
	cd fuzz-build && $(abs_top_srcdir)/configure --quiet --enable-fuzzers CC=clang CXX=clang++
	cd fuzz-build && $(MAKE) fuzz-run FUZZ_SECONDS=$(FUZZ_SECONDS)

bench: all tests/lib/controller tests/lib/toggler tests/lib/workload tests/bench/cost
	PSTAT=$(abs_top_builddir)/pstat PSTAT_REPORT=$(abs_top_builddir)/pstat-report \
		PSTAT_BUILDDIR=$(abs_top_builddir) PYTHONDONTWRITEBYTECODE=1 \
		python3 $(top_srcdir)/tests/bench/bench.py $(BENCH_OPTIONS)

# Built by make check too, so that it cannot rot.
check_PROGRAMS += tests/bench/cost
tests_bench_cost_CFLAGS = $(TOOL_CFLAGS)
tests_bench_cost_LDFLAGS =
tests_bench_cost_SOURCES = tests/bench/cost.c
EXTRA_DIST += tests/bench/bench.py

# Every file of the corpus converted and repaired, with stock perf as the judge.
corpus-check: all
	$(MAKE) check TESTS=tests/integration/convert-corpus.sh PSTAT_CORPUS_EVERY=1
