/* A controller that does not read its answers: they wait, within bounds, and arrive once and in order. */
#include <errno.h>
#include <fcntl.h>

#include "lib/control_fixture.h"
#include "lib/unit.h"

static const int32_t pause_word = 0, unknown_word = 77;

/* Fills the answer pipe, whose size is a page, so that answers must wait. Returns the answers the pipe took. */
static size_t clog_answers(struct control_fixture *fix, size_t commands)
{
	int32_t batch[256];

	for (size_t i = 0; i < ARRAY_SIZE(batch); i++)
		batch[i] = i % 2 ? pause_word : unknown_word;
	(void)fcntl(fix->ack, F_SETPIPE_SZ, 4096);
	for (size_t sent = 0; sent < commands; sent += ARRAY_SIZE(batch)) {
		fixture_write(fix, batch, sizeof(batch));
		fixture_settle(fix);
	}
	return (size_t)fixture_readable(fix->ack) / sizeof(int32_t);
}

START_TEST(answers_that_do_not_fit_arrive_once_and_in_order)
{
	struct control_fixture fix;
	size_t got = 0, n;
	int32_t answer;

	fixture_pipes(&fix, &protocol_binary);
	n = clog_answers(&fix, 1536);
	ck_assert_uint_eq(channel_pending_bytes(fix.channel), 4 * (1536 - n));
	ck_assert_uint_gt(channel_pending_bytes(fix.channel), 0);
	while (fixture_read(&fix, &answer, sizeof(answer)) == sizeof(answer)) {
		ck_assert_int_eq(answer, got % 2 ? 2 : -EINVAL);
		got++;
		fixture_settle(&fix);
	}
	ck_assert_uint_eq(got, 1536);
	ck_assert_uint_eq(channel_answers(fix.channel), 1536);
	ck_assert_uint_eq(channel_pending_bytes(fix.channel), 0);
	fixture_free(&fix);
}
END_TEST

/* Room comes together with a command: its answer must not overtake those that wait. */
START_TEST(new_answer_does_not_overtake_waiting_ones)
{
	struct control_fixture fix;
	int32_t answers[1024], answer = 0;
	size_t got, waiting;

	fixture_pipes(&fix, &protocol_binary);
	got = clog_answers(&fix, 1280);
	waiting = channel_pending_bytes(fix.channel) / sizeof(int32_t);
	ck_assert_uint_eq(fixture_read(&fix, answers, sizeof(answers)), got * sizeof(int32_t));
	fix.result = -EBUSY;
	fixture_write(&fix, &pause_word, sizeof(pause_word));
	fixture_settle(&fix);
	for (size_t i = 0; i < waiting; i++) {
		ck_assert_uint_eq(fixture_read(&fix, &answer, sizeof(answer)), sizeof(answer));
		ck_assert_int_ne(answer, -EBUSY);
	}
	ck_assert_uint_eq(fixture_read(&fix, &answer, sizeof(answer)), sizeof(answer));
	ck_assert_int_eq(answer, -EBUSY);
	fixture_free(&fix);
}
END_TEST

START_TEST(unread_answers_stop_the_reading_of_commands)
{
	struct control_fixture fix;
	size_t got = 0, obeyed;
	int32_t answer;

	fixture_pipes(&fix, &protocol_binary);
	(void)clog_answers(&fix, 4096);
	obeyed = fix.commands;
	ck_assert_uint_lt(obeyed, 4096);
	ck_assert_uint_le(channel_pending_bytes(fix.channel), 4096);
	fixture_close_cmd(&fix); /* a hang-up must not make it spin either */
	fixture_settle(&fix);
	ck_assert_uint_eq(fix.commands, obeyed);
	while (fixture_read(&fix, &answer, sizeof(answer)) == sizeof(answer)) {
		ck_assert_int_eq(answer, got % 2 ? 2 : -EINVAL);
		got++;
		fixture_settle(&fix);
	}
	ck_assert_uint_eq(got, 4096);
	ck_assert_uint_eq(fix.loop.n, 0);
	fixture_free(&fix);
}
END_TEST

START_TEST(clogged_reader_that_vanishes_frees_the_commands)
{
	struct control_fixture fix;

	fixture_pipes(&fix, &protocol_binary);
	(void)clog_answers(&fix, 4096);
	fixture_close_ack(&fix);
	fixture_settle(&fix);
	ck_assert_uint_eq(fix.commands, 4096);
	ck_assert_uint_eq(channel_pending_bytes(fix.channel), 0);
	fixture_free(&fix);
}
END_TEST

START_TEST(free_gets_waiting_answers_out)
{
	struct control_fixture fix;
	char junk[4096];
	size_t n;

	fixture_pipes(&fix, &protocol_binary);
	n = clog_answers(&fix, 1280);
	ck_assert_uint_gt(channel_pending_bytes(fix.channel), 0);
	ck_assert_uint_eq(fixture_read(&fix, junk, sizeof(junk)), n * 4);
	channel_free(fix.channel, 1000);
	fix.channel = NULL;
	ck_assert_int_eq(fixture_readable(fix.ack), (int)(4 * (1280 - n)));
	fixture_free(&fix);
}
END_TEST

static void add(TCase *tcase)
{
	tcase_add_test(tcase, answers_that_do_not_fit_arrive_once_and_in_order);
	tcase_add_test(tcase, new_answer_does_not_overtake_waiting_ones);
	tcase_add_test(tcase, unread_answers_stop_the_reading_of_commands);
	tcase_add_test(tcase, clogged_reader_that_vanishes_frees_the_commands);
	tcase_add_test(tcase, free_gets_waiting_answers_out);
}

int main(void)
{
	return unit_main("channel_pressure", add);
}
