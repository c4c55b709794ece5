# The control interface: its manual page and the examples, which are built and run by the tests.
dist_man_MANS += doc/pstat-control.7
EXTRA_DIST += doc/examples/fifos.sh doc/examples/harness.py

check_PROGRAMS += doc/examples/bench_loop doc/examples/guard doc/examples/regions
doc_examples_bench_loop_SOURCES = doc/examples/bench_loop.c
doc_examples_regions_SOURCES = doc/examples/regions.c
doc_examples_guard_SOURCES = doc/examples/guard.cc
doc_examples_guard_CXXFLAGS = -std=c++11 -Wall -Wextra -Wpedantic -Wconversion $(SANITIZER_CFLAGS)

dist_check_SCRIPTS += tests/integration/examples.sh
TESTS += tests/integration/examples.sh
