/* The command channel over pipes, sockets and worse: every command obeyed and answered once, in order, never a spin. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>

#include "lib/control_fixture.h"
#include "lib/unit.h"

static const int32_t pause_word = 0, resume_word = 1;

static void expect_answers(struct control_fixture *fix, const int32_t *expected, size_t n)
{
	int32_t answers[8];

	ck_assert_uint_eq(fixture_read(fix, answers, sizeof(answers)), n * sizeof(int32_t));
	for (size_t i = 0; i < n; i++)
		ck_assert_int_eq(answers[i], expected[i]);
}

START_TEST(each_command_gets_one_answer)
{
	struct control_fixture fix;

	if (_i)
		fixture_socket(&fix, &protocol_binary);
	else
		fixture_pipes(&fix, &protocol_binary);
	fixture_write(&fix, &resume_word, 4);
	fixture_settle(&fix);
	expect_answers(&fix, (int32_t[]){ 2 }, 1);
	fixture_write(&fix, &pause_word, 4);
	fixture_settle(&fix);
	expect_answers(&fix, (int32_t[]){ 2 }, 1);
	ck_assert_int_eq(fix.kinds[0], COMMAND_RESUME);
	ck_assert_int_eq(fix.kinds[1], COMMAND_PAUSE);
	ck_assert_uint_eq(channel_commands(fix.channel), 2);
	ck_assert_uint_eq(channel_answers(fix.channel), 2);
	ck_assert_uint_eq(fix.notes, 0);
	fixture_free(&fix);
}
END_TEST

START_TEST(bytes_one_by_one_make_one_command)
{
	struct control_fixture fix;

	fixture_pipes(&fix, &protocol_binary);
	for (size_t i = 0; i < 4; i++) {
		ck_assert_uint_eq(fix.commands, 0);
		fixture_write(&fix, (const char *)&resume_word + i, 1);
		fixture_settle(&fix);
	}
	ck_assert_uint_eq(fix.commands, 1);
	expect_answers(&fix, (int32_t[]){ 2 }, 1);
	fixture_free(&fix);
}
END_TEST

START_TEST(batch_written_before_close_is_obeyed_and_answered)
{
	const int32_t batch[] = { 1, 77, 0, 1 };
	struct control_fixture fix;

	fixture_pipes(&fix, &protocol_binary);
	fixture_write(&fix, batch, sizeof(batch));
	fixture_close_cmd(&fix);
	fixture_settle(&fix);
	ck_assert_uint_eq(fix.commands, 4);
	expect_answers(&fix, (int32_t[]){ 2, -EINVAL, 2, 2 }, 4);
	ck_assert_uint_eq(fix.loop.n, 0);
	ck_assert_uint_eq(fix.notes, 2); /* the unknown command, the end */
	ck_assert_ptr_nonnull(strstr(fix.note, "no more commands"));
	fixture_free(&fix);
}
END_TEST

START_TEST(half_closed_socket_still_gets_its_answers)
{
	struct control_fixture fix;

	fixture_socket(&fix, &protocol_text);
	fixture_write(&fix, "ping\nenable\n", 12);
	ck_assert_int_eq(shutdown(fix.cmd, SHUT_WR), 0);
	fixture_settle(&fix);
	ck_assert_int_eq(fixture_readable(fix.ack), 10);
	ck_assert_uint_eq(fix.loop.n, 0);
	fixture_free(&fix);
}
END_TEST

START_TEST(part_of_a_word_at_the_end_is_refused)
{
	struct control_fixture fix;

	fixture_pipes(&fix, &protocol_binary);
	fixture_write(&fix, &resume_word, 3);
	fixture_close_cmd(&fix);
	fixture_settle(&fix);
	ck_assert_uint_eq(fix.commands, 1);
	ck_assert_int_eq(fix.kinds[0], COMMAND_INVALID);
	expect_answers(&fix, (int32_t[]){ -EINVAL }, 1);
	fixture_free(&fix);
}
END_TEST

START_TEST(end_of_file_at_once_ends_quietly)
{
	int fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
	struct control_fixture fix;

	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(fixture_open(&fix, &protocol_text, fd, -1), 0);
	fixture_settle(&fix);
	ck_assert_uint_eq(fix.loop.n, 0);
	ck_assert_ptr_nonnull(strstr(fix.note, "no more commands"));
	fixture_free(&fix);
}
END_TEST

START_TEST(commands_from_a_regular_file_are_obeyed)
{
	struct control_fixture fix;
	FILE *file = tmpfile();

	ck_assert_ptr_nonnull(file);
	ck_assert_int_ge(fputs("enable\ndisable\n", file), 0);
	ck_assert_int_eq(fseek(file, 0, SEEK_SET), 0);
	ck_assert_int_eq(fixture_open(&fix, &protocol_text, dup(fileno(file)), -1), 0);
	fixture_settle(&fix);
	ck_assert_uint_eq(fix.commands, 2);
	ck_assert_uint_eq(fix.loop.n, 0);
	fixture_free(&fix);
	ck_assert_int_eq(fclose(file), 0);
}
END_TEST

START_TEST(expected_end_is_not_noted)
{
	struct control_fixture fix;
	struct channel_options options;

	fixture_pipes(&fix, &protocol_text);
	channel_free(fix.channel, 0);
	options = fixture_options(&fix, &protocol_text);
	options.cmd_fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
	options.quiet_end = true;
	ck_assert_int_eq(channel_open_fds(&fix.channel, &fix.loop, &options, &fix.err), 0);
	fixture_settle(&fix);
	ck_assert_uint_eq(fix.loop.n, 0);
	ck_assert_uint_eq(fix.notes, 0);
	fixture_free(&fix);
}
END_TEST

/* The descriptor vanishes behind the channel's back. */
START_TEST(closed_descriptor_leaves_the_loop_with_one_note)
{
	struct control_fixture fix;
	int fd;

	fixture_pipes(&fix, &protocol_binary);
	fd = fix.loop.fds[0].fd;
	ck_assert_int_eq(close(fd), 0);
	fixture_settle(&fix);
	ck_assert_uint_eq(fix.loop.n, 0);
	ck_assert_uint_eq(fix.notes, 1);
	ck_assert_int_eq(open("/dev/null", O_RDONLY | O_CLOEXEC), fd); /* for channel_free to close */
	fixture_free(&fix);
}
END_TEST

START_TEST(check_names_what_is_wrong)
{
	struct ps_error err = PS_ERROR_INIT;
	int ends[2];

	ck_assert_int_eq(pipe(ends), 0);
	ck_assert_int_eq(channel_check_fd(ends[0], false, "--cmd-fd 3", &err), 0);
	ck_assert_int_eq(fcntl(ends[0], F_GETFD), FD_CLOEXEC);
	ck_assert_int_eq(channel_check_fd(ends[1], true, "--cmd-ack-fd 4", &err), 0);
	ck_assert_int_eq(channel_check_fd(ends[1], false, "--cmd-fd 4", &err), -EBADF);
	ck_assert_str_eq(err.what, "--cmd-fd 4: not open for reading");
	ck_assert_int_eq(channel_check_fd(ends[0], true, "--cmd-ack-fd 3", &err), -EBADF);
	ck_assert_str_eq(err.what, "--cmd-ack-fd 3: not open for writing");
	ck_assert_int_eq(channel_check_fd(-1, true, "--cmd-ack-fd -1", &err), -EBADF);
	ck_assert_int_eq(close(ends[0]), 0);
	ck_assert_int_eq(close(ends[1]), 0);
	ck_assert_int_eq(channel_check_fd(ends[0], false, "--cmd-fd 99", &err), -EBADF);
	ck_assert_str_eq(err.what, "--cmd-fd 99: not open");
}
END_TEST

START_TEST(refused_descriptors_stay_with_the_caller)
{
	struct control_fixture fix;
	int ends[2];

	ck_assert_int_eq(pipe2(ends, O_CLOEXEC), 0);
	ck_assert_int_eq(fixture_open(&fix, &protocol_binary, ends[0], ends[0]), -EBADF);
	ck_assert_ptr_null(fix.channel);
	ck_assert_uint_eq(fix.loop.n, 0);
	ck_assert_int_eq(close(ends[0]), 0);
	ck_assert_int_eq(close(ends[1]), 0);
}
END_TEST

START_TEST(vanished_reader_is_noted_once_and_commands_are_obeyed)
{
	struct control_fixture fix;

	fixture_pipes(&fix, &protocol_binary);
	fixture_close_ack(&fix);
	for (int i = 0; i < 3; i++) {
		fixture_write(&fix, &resume_word, 4);
		fixture_settle(&fix);
	}
	ck_assert_uint_eq(fix.commands, 3);
	ck_assert_uint_eq(fix.notes, 1);
	ck_assert_str_eq(fix.note, "--cmd-ack-fd: answers are not read any more");
	ck_assert_uint_eq(channel_answers(fix.channel), 0);
	fixture_free(&fix);
}
END_TEST

START_TEST(socket_closed_with_answers_unread_ends)
{
	struct control_fixture fix;

	fixture_socket(&fix, &protocol_binary);
	fixture_write(&fix, &resume_word, 4);
	fixture_settle(&fix);
	fixture_write(&fix, &pause_word, 4);
	fixture_close_cmd(&fix);
	fixture_settle(&fix);
	ck_assert_uint_eq(fix.commands, 2);
	ck_assert_uint_eq(fix.loop.n, 0);
	fixture_free(&fix);
}
END_TEST

START_TEST(two_thousand_toggles_leave_nothing_behind)
{
	struct control_fixture fix;

	fixture_pipes(&fix, &protocol_binary);
	for (int i = 0; i < 2000; i++) {
		fixture_write(&fix, i % 2 ? &pause_word : &resume_word, 4);
		ck_assert_int_eq(loop_step(&fix.loop, -1, &fix.err), 0);
		expect_answers(&fix, (int32_t[]){ 2 }, 1);
	}
	ck_assert_int_eq(fixture_readable(fix.ack), 0);
	ck_assert_uint_eq(fix.commands, 2000);
	fixture_free(&fix);
}
END_TEST

START_TEST(without_an_answer_descriptor_nothing_is_answered)
{
	struct control_fixture fix;
	int ends[2];

	ck_assert_int_eq(pipe2(ends, O_CLOEXEC), 0);
	ck_assert_int_eq(fixture_open(&fix, &protocol_text, ends[0], -1), 0);
	fix.cmd = ends[1];
	fixture_write(&fix, "enable\ndisable\n", 15);
	fixture_settle(&fix);
	ck_assert_uint_eq(fix.commands, 2);
	ck_assert_uint_eq(channel_answers(fix.channel), 0);
	fixture_free(&fix);
}
END_TEST

START_TEST(failed_command_is_answered_and_noted)
{
	struct control_fixture fix;

	fixture_pipes(&fix, &protocol_binary);
	fix.result = -EBUSY;
	fixture_write(&fix, &resume_word, 4);
	fixture_settle(&fix);
	expect_answers(&fix, (int32_t[]){ -EBUSY }, 1);
	ck_assert_ptr_nonnull(strstr(fix.note, "--cmd-fd: resume refused: "));
	fixture_free(&fix);
}
END_TEST

START_TEST(command_the_handler_left_unanswered_is_refused)
{
	struct control_fixture fix;

	fixture_pipes(&fix, &protocol_binary);
	fix.silent = true;
	fixture_write(&fix, &resume_word, 4);
	fixture_settle(&fix);
	expect_answers(&fix, (int32_t[]){ -ENOTSUP }, 1);
	fixture_free(&fix);
}
END_TEST

START_TEST(only_the_first_answer_counts)
{
	struct control_fixture fix;

	fixture_pipes(&fix, &protocol_binary);
	fix.twice = true;
	fixture_write(&fix, &resume_word, 4);
	fixture_settle(&fix);
	expect_answers(&fix, (int32_t[]){ 2 }, 1);
	ck_assert_uint_eq(fix.notes, 0);
	fixture_free(&fix);
}
END_TEST

START_TEST(handler_error_ends_the_loop_after_the_answer)
{
	struct control_fixture fix;

	fixture_pipes(&fix, &protocol_binary);
	fix.rc = -EIO;
	fixture_write(&fix, &resume_word, 4);
	ck_assert_int_eq(loop_run(&fix.loop, &fix.err), -EIO);
	expect_answers(&fix, (int32_t[]){ 2 }, 1);
	fixture_free(&fix);
}
END_TEST

START_TEST(notes_of_refusals_are_bounded_and_printable)
{
	struct control_fixture fix;

	fixture_pipes(&fix, &protocol_text);
	fixture_write(&fix, "\033[31m\n", 6);
	fixture_settle(&fix);
	ck_assert_str_eq(fix.note, "--cmd-fd: unknown command '?[31m' refused");
	for (int i = 0; i < 100; i++)
		fixture_write(&fix, "nonsense\n", 9);
	fixture_settle(&fix);
	ck_assert_uint_eq(fix.commands, 101);
	ck_assert_uint_le(fix.notes, 21);
	fixture_free(&fix);
}
END_TEST

/* A shell opens a FIFO once and lets pstat inherit it: its own reads must go on blocking. */
START_TEST(shared_pipe_stays_blocking_for_its_other_owner)
{
	struct control_fixture fix;
	int cmd[2], ack[2], shared;

	ck_assert_int_eq(pipe2(cmd, O_CLOEXEC), 0);
	ck_assert_int_eq(pipe2(ack, O_CLOEXEC), 0);
	shared = dup(ack[1]);
	ck_assert_int_eq(fixture_open(&fix, &protocol_binary, cmd[0], ack[1]), 0);
	ck_assert_int_eq(fcntl(shared, F_GETFL) & O_NONBLOCK, 0);
	ck_assert_int_eq(fcntl(ack[1], F_GETFL) & O_NONBLOCK, O_NONBLOCK);
	ck_assert_int_eq(fcntl(ack[1], F_GETFD), FD_CLOEXEC);
	fix.cmd = cmd[1];
	fix.ack = ack[0];
	fixture_free(&fix);
	ck_assert_int_eq(close(shared), 0);
}
END_TEST

static void add(TCase *tcase)
{
	tcase_add_loop_test(tcase, each_command_gets_one_answer, 0, 2);
	tcase_add_test(tcase, bytes_one_by_one_make_one_command);
	tcase_add_test(tcase, batch_written_before_close_is_obeyed_and_answered);
	tcase_add_test(tcase, half_closed_socket_still_gets_its_answers);
	tcase_add_test(tcase, part_of_a_word_at_the_end_is_refused);
	tcase_add_test(tcase, end_of_file_at_once_ends_quietly);
	tcase_add_test(tcase, expected_end_is_not_noted);
	tcase_add_test(tcase, commands_from_a_regular_file_are_obeyed);
	tcase_add_test(tcase, closed_descriptor_leaves_the_loop_with_one_note);
	tcase_add_test(tcase, check_names_what_is_wrong);
	tcase_add_test(tcase, refused_descriptors_stay_with_the_caller);
	tcase_add_test(tcase, vanished_reader_is_noted_once_and_commands_are_obeyed);
	tcase_add_test(tcase, socket_closed_with_answers_unread_ends);
	tcase_add_test(tcase, two_thousand_toggles_leave_nothing_behind);
	tcase_add_test(tcase, without_an_answer_descriptor_nothing_is_answered);
	tcase_add_test(tcase, failed_command_is_answered_and_noted);
	tcase_add_test(tcase, command_the_handler_left_unanswered_is_refused);
	tcase_add_test(tcase, only_the_first_answer_counts);
	tcase_add_test(tcase, handler_error_ends_the_loop_after_the_answer);
	tcase_add_test(tcase, notes_of_refusals_are_bounded_and_printable);
	tcase_add_test(tcase, shared_pipe_stays_blocking_for_its_other_owner);
}

int main(void)
{
	return unit_main("channel", add);
}
