CONTROL_FIXTURE = tests/lib/control_fixture.c tests/lib/control_fixture.h tests/lib/unit.h

UNIT_TESTS += test-channel
test_channel_SOURCES = tests/unit/test-channel.c $(CONTROL_FIXTURE)
test_channel_CFLAGS = $(TEST_CFLAGS)
test_channel_LDADD = $(UNIT_LIBS)

UNIT_TESTS += test-protocol
test_protocol_SOURCES = tests/unit/test-protocol.c tests/lib/unit.h
test_protocol_CFLAGS = $(TEST_CFLAGS)
test_protocol_LDADD = $(UNIT_LIBS)
