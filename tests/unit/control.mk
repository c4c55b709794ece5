CONTROL_FIXTURE = tests/lib/control_fixture.c tests/lib/control_fixture.h tests/lib/unit.h

UNIT_TESTS += test-channel test-channel-fifo test-channel-pressure
test_channel_SOURCES = tests/unit/test-channel.c $(CONTROL_FIXTURE)
test_channel_CFLAGS = $(TEST_CFLAGS)
test_channel_LDADD = $(UNIT_LIBS)
test_channel_fifo_SOURCES = tests/unit/test-channel-fifo.c $(CONTROL_FIXTURE)
test_channel_fifo_CFLAGS = $(TEST_CFLAGS)
test_channel_fifo_LDADD = $(UNIT_LIBS)
test_channel_pressure_SOURCES = tests/unit/test-channel-pressure.c $(CONTROL_FIXTURE)
test_channel_pressure_CFLAGS = $(TEST_CFLAGS)
test_channel_pressure_LDADD = $(UNIT_LIBS)

UNIT_TESTS += test-protocol
test_protocol_SOURCES = tests/unit/test-protocol.c tests/lib/unit.h
test_protocol_CFLAGS = $(TEST_CFLAGS)
test_protocol_LDADD = $(UNIT_LIBS)

# The public header must do with the oldest C and C++ it promises, and with strict warnings.
CONTROL_SERVER = tests/lib/control_server.c tests/lib/control_server.h
CLIENT_WARNINGS = -Wall -Wextra -Wpedantic -Wconversion -Wshadow
check_LIBRARIES += tests/libclient99.a
tests_libclient99_a_SOURCES = tests/lib/control_client_other.c
tests_libclient99_a_CFLAGS = -std=c99 $(WARNING_CFLAGS) -Wpedantic $(SANITIZER_CFLAGS)

UNIT_TESTS += test-control-client
test_control_client_SOURCES = tests/unit/test-control-client.c $(CONTROL_SERVER) tests/lib/unit.h
test_control_client_CFLAGS = $(TEST_CFLAGS) -pthread
test_control_client_LDADD = tests/libclient99.a $(UNIT_LIBS)

# No check library needed, so that it runs everywhere.
check_PROGRAMS += test-control-client-cxx
TESTS += test-control-client-cxx
test_control_client_cxx_SOURCES = tests/unit/test-control-client-cxx.cc $(CONTROL_SERVER)
test_control_client_cxx_CFLAGS = $(TEST_CFLAGS) -pthread
test_control_client_cxx_CXXFLAGS = -std=c++11 $(CLIENT_WARNINGS) -Wold-style-cast $(SANITIZER_CFLAGS) -pthread \
	-I$(top_srcdir)/tests
test_control_client_cxx_LDADD = tests/libclient99.a $(RECORD_LIBS)

UNIT_TESTS += test-ctl
test_ctl_SOURCES = tests/unit/test-ctl.c src/cli/ctl.c src/cli/ctl.h src/cli/message.c src/cli/message.h \
	src/cli/option.c src/cli/option.h $(CONTROL_SERVER) tests/lib/unit.h
test_ctl_CFLAGS = $(TEST_CFLAGS) -pthread
test_ctl_LDADD = $(UNIT_LIBS)
