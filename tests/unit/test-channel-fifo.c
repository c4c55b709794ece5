/* The command channel over FIFOs: controllers come and go, and FIFOs that are made anew are served. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>

#include "lib/control_fixture.h"
#include "lib/unit.h"

/* Removes what is there, from a run that was cut short too. */
static void make_fifos_anew(bool cmd, bool ack)
{
	if (cmd) {
		(void)unlink("test-channel-fifo.cmd");
		ck_assert_int_eq(mkfifo("test-channel-fifo.cmd", 0600), 0);
	}
	if (ack) {
		(void)unlink("test-channel-fifo.ack");
		ck_assert_int_eq(mkfifo("test-channel-fifo.ack", 0600), 0);
	}
}

START_TEST(controllers_of_fifos_come_and_go)
{
	struct control_fixture fix;
	struct channel_options options;
	char answer[8];

	fixture_pipes(&fix, &protocol_text);
	channel_free(fix.channel, 0);
	fix.channel = NULL;
	options = fixture_options(&fix, &protocol_text);
	make_fifos_anew(true, true);
	ck_assert_int_eq(channel_open_fifos(&fix.channel, &fix.loop, "test-channel-fifo.cmd", "test-channel-fifo.ack",
					    &options, &fix.err), 0);
	for (int i = 0; i < 3; i++) {
		fixture_close_cmd(&fix);
		fixture_close_ack(&fix);
		fix.cmd = open("test-channel-fifo.cmd", O_WRONLY | O_CLOEXEC);
		fix.ack = open("test-channel-fifo.ack", O_RDONLY | O_NONBLOCK | O_CLOEXEC);
		fixture_write(&fix, "ping\n", 5);
		fixture_settle(&fix);
		ck_assert_uint_eq(fixture_read(&fix, answer, sizeof(answer)), 5);
		ck_assert_mem_eq(answer, "ack\n", 5);
	}
	ck_assert_uint_eq(fix.notes, 0);
	fixture_free(&fix);
	ck_assert_int_eq(unlink("test-channel-fifo.cmd"), 0);
	ck_assert_int_eq(unlink("test-channel-fifo.ack"), 0);
}
END_TEST

START_TEST(fifos_made_anew_are_served)
{
	struct control_fixture fix = { .cmd = -1, .ack = -1 };
	struct channel_options options = fixture_options(&fix, &protocol_text);
	bool cmd = _i != 1, ack = _i != 0;
	char answer[5];

	loop_init(&fix.loop);
	make_fifos_anew(true, true);
	ck_assert_int_eq(channel_open_fifos(&fix.channel, &fix.loop, "test-channel-fifo.cmd", "test-channel-fifo.ack",
					    &options, &fix.err), 0);
	fix.cmd = open("test-channel-fifo.cmd", O_WRONLY | O_CLOEXEC);
	fixture_write(&fix, "ping\nmark half", 14); /* what is whole is obeyed; the half goes with its FIFO */
	fixture_close_cmd(&fix);
	if (cmd && ack) { /* not before both are there */
		ck_assert_int_eq(unlink("test-channel-fifo.ack"), 0);
		make_fifos_anew(true, false);
		ck_assert_int_eq(loop_step(&fix.loop, 600, &fix.err), 0);
		ck_assert_int_eq(loop_step(&fix.loop, 600, &fix.err), 0);
		ck_assert_uint_eq(fix.notes, 0);
		ck_assert_int_eq(open("test-channel-fifo.cmd", O_WRONLY | O_NONBLOCK | O_CLOEXEC), -1);
	}
	make_fifos_anew(cmd && !ack, ack);
	while (fix.notes == 0)
		ck_assert_int_eq(loop_step(&fix.loop, 1000, &fix.err), 0);
	ck_assert_uint_eq(fix.commands, 1);
	fix.cmd = open("test-channel-fifo.cmd", O_WRONLY | O_NONBLOCK | O_CLOEXEC);
	fix.ack = open("test-channel-fifo.ack", O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	if (!ack) /* the answer to the first ping */
		ck_assert_uint_eq(fixture_read(&fix, answer, sizeof(answer)), sizeof(answer));
	fixture_write(&fix, cmd ? "ping\n" : "\nping\n", cmd ? 5 : 6);
	fixture_settle(&fix);
	ck_assert_uint_eq(fix.commands, cmd ? 2 : 3);
	ck_assert_int_eq(fix.kinds[fix.commands - 1], COMMAND_PING);
	ck_assert_uint_eq(fixture_read(&fix, answer, sizeof(answer)), sizeof(answer));
	ck_assert_mem_eq(answer, "ack\n", 5);
	fixture_free(&fix);
	ck_assert_int_eq(unlink("test-channel-fifo.cmd"), 0);
	ck_assert_int_eq(unlink("test-channel-fifo.ack"), 0);
}
END_TEST

START_TEST(fifos_made_anew_serve_although_the_old_answers_were_never_read)
{
	struct control_fixture fix = { .cmd = -1, .ack = -1 };
	struct channel_options options = fixture_options(&fix, &protocol_text);
	char pings[5000], answer[5];
	size_t before;

	for (size_t i = 0; i < sizeof(pings); i += 5)
		memcpy(pings + i, "ping\n", 5);
	loop_init(&fix.loop);
	make_fifos_anew(true, true);
	ck_assert_int_eq(channel_open_fifos(&fix.channel, &fix.loop, "test-channel-fifo.cmd", "test-channel-fifo.ack",
					    &options, &fix.err), 0);
	fix.cmd = open("test-channel-fifo.cmd", O_WRONLY | O_NONBLOCK | O_CLOEXEC);
	while (write(fix.cmd, pings, sizeof(pings)) > 0) { /* until both pipes and both buffers are full */
		fix.commands = 0; /* the fixture keeps so many only */
		ck_assert_int_eq(loop_step(&fix.loop, 0, &fix.err), 0);
	}
	fixture_close_cmd(&fix);
	before = channel_commands(fix.channel);
	fix.commands = 0;
	make_fifos_anew(true, true);
	while (fix.notes == 0)
		ck_assert_int_eq(loop_step(&fix.loop, 1000, &fix.err), 0);
	fix.cmd = open("test-channel-fifo.cmd", O_WRONLY | O_NONBLOCK | O_CLOEXEC);
	fix.ack = open("test-channel-fifo.ack", O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	fixture_write(&fix, "ping\n", 5);
	fixture_settle(&fix);
	ck_assert_uint_eq(channel_commands(fix.channel), before + 1);
	ck_assert_uint_eq(fixture_read(&fix, answer, sizeof(answer)), sizeof(answer));
	fixture_free(&fix);
	ck_assert_int_eq(unlink("test-channel-fifo.cmd"), 0);
	ck_assert_int_eq(unlink("test-channel-fifo.ack"), 0);
}
END_TEST

START_TEST(fifo_that_is_none_is_named)
{
	struct control_fixture fix;
	struct channel_options options;

	fixture_pipes(&fix, &protocol_text);
	channel_free(fix.channel, 0);
	fix.channel = NULL;
	options = fixture_options(&fix, &protocol_text);
	ck_assert_int_eq(channel_open_fifos(&fix.channel, &fix.loop, "no/such/fifo", NULL, &options, &fix.err), -ENOENT);
	ck_assert_str_eq(fix.err.hint, "make it first: mkfifo no/such/fifo");
	ck_assert_int_eq(channel_open_fifos(&fix.channel, &fix.loop, "/dev/null", NULL, &options, &fix.err), -EINVAL);
	ck_assert_str_eq(fix.err.what, "/dev/null is not a FIFO");
	fixture_free(&fix);
}
END_TEST

static void add(TCase *tcase)
{
	tcase_add_test(tcase, controllers_of_fifos_come_and_go);
	tcase_add_loop_test(tcase, fifos_made_anew_are_served, 0, 3);
	tcase_add_test(tcase, fifos_made_anew_serve_although_the_old_answers_were_never_read);
	tcase_add_test(tcase, fifo_that_is_none_is_named);
}

int main(void)
{
	return unit_main("channel_fifo", add);
}
