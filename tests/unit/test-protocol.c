/* Both protocols as tables: bytes in, commands out, however the bytes are cut. */
#include <errno.h>
#include <string.h>

#include "control/command.h"
#include "lib/unit.h"

#define NONE ((enum command_kind)-1)

/* One piece of input and the one command (or none) it makes. */
struct row {
	const char *bytes;
	enum command_kind kind;
	const char *text;
};

static const struct row text_rows[] = {
	{ "enable\n", COMMAND_RESUME, NULL },
	{ "disable\n", COMMAND_PAUSE, NULL },
	{ "enable cycles:u\n", COMMAND_ENABLE_EVENT, "cycles:u" },
	{ "disable cycles\n", COMMAND_DISABLE_EVENT, "cycles" },
	{ "resume\n", COMMAND_RESUME, NULL },
	{ "resume warm up\n", COMMAND_RESUME, "warm up" },
	{ "pause\n", COMMAND_PAUSE, NULL },
	{ "pause now\n", COMMAND_INVALID, "pause now" },
	{ "ping\n", COMMAND_PING, NULL },
	{ "ping \r\n", COMMAND_PING, NULL },
	{ "ping x\n", COMMAND_INVALID, "ping x" },
	{ " ping\n", COMMAND_INVALID, " ping" },
	{ "stop\n", COMMAND_STOP, NULL },
	{ "mark a  b\n", COMMAND_MARK, "a  b" },
	{ "mark\ttab\n", COMMAND_MARK, "tab" },
	{ "mark\n", COMMAND_INVALID, "mark" },
	{ "mark \n", COMMAND_INVALID, "mark" },
	{ "evlist\n", COMMAND_EVLIST, NULL },
	{ "evlist -v\n", COMMAND_EVLIST, "-v" },
	{ "evlist -g\n", COMMAND_EVLIST, "-g" },
	{ "evlist -F\n", COMMAND_EVLIST, "-F" },
	{ "evlist -x\n", COMMAND_INVALID, "evlist -x" },
	{ "snapshot\n", COMMAND_INVALID, "snapshot" },
	{ "enablexyz\n", COMMAND_INVALID, "enablexyz" },
	{ "enabl\n", COMMAND_INVALID, "enabl" },
	{ "ENABLE\n", COMMAND_INVALID, "ENABLE" },
	{ "\n", NONE, NULL },
	{ " \t\r\n", NONE, NULL },
};

static size_t parse(struct parser *parser, const char *bytes, size_t len, bool at_end, struct command *command,
		    bool *found)
{
	return protocol_text.parse(parser, (const uint8_t *)bytes, len, at_end, command, found);
}

static void expect(const struct row *row, const char *bytes, size_t len)
{
	struct parser parser = { .skipping = false };
	struct command command;
	bool found;

	for (size_t i = 0; i < len; i++)
		ck_assert_uint_eq(parse(&parser, bytes, i, false, &command, &found), 0);
	ck_assert_uint_eq(parse(&parser, bytes, len, false, &command, &found), len);
	ck_assert_int_eq(found, row->kind != NONE);
	if (!found)
		return;
	ck_assert_int_eq(command.kind, row->kind);
	if (row->text)
		ck_assert_str_eq(command.text, row->text);
	else
		ck_assert_ptr_null(command.text);
}

START_TEST(text_line_means_what_the_table_says)
{
	const struct row *row = &text_rows[_i];
	size_t len = strlen(row->bytes);
	char bytes[64];

	expect(row, row->bytes, len);
	memcpy(bytes, row->bytes, len);
	bytes[len - 1] = '\0';
	expect(row, bytes, len);
}
END_TEST

START_TEST(newline_and_nul_together_make_one_command)
{
	static const char bytes[] = "enable\n\0ping\n";
	struct parser parser = { .skipping = false };
	struct command command;
	bool found;

	ck_assert_uint_eq(parse(&parser, bytes, 13, false, &command, &found), 7);
	ck_assert(found);
	ck_assert_uint_eq(parse(&parser, bytes + 7, 6, false, &command, &found), 1);
	ck_assert(!found);
	ck_assert_uint_eq(parse(&parser, bytes + 8, 5, false, &command, &found), 5);
	ck_assert_int_eq(command.kind, COMMAND_PING);
}
END_TEST

START_TEST(unfinished_text_word_at_the_end_is_invalid)
{
	struct parser parser = { .skipping = false };
	struct command command;
	bool found;

	ck_assert_uint_eq(parse(&parser, "enable", 6, true, &command, &found), 6);
	ck_assert(found);
	ck_assert_int_eq(command.kind, COMMAND_INVALID);
	ck_assert_str_eq(command.text, "enable");
	ck_assert_uint_eq(parse(&parser, "", 0, true, &command, &found), 0);
}
END_TEST

/* Up to COMMAND_TEXT_MAX bytes are a line; one more and it is refused once, and skipped to its end. */
START_TEST(line_that_is_too_long_is_refused_once)
{
	struct parser parser = { .skipping = false };
	struct command command;
	char bytes[3000];
	size_t used;
	bool found;

	memset(bytes, 'a', sizeof(bytes));
	memcpy(bytes, "mark ", 5);
	bytes[COMMAND_TEXT_MAX] = '\n';
	ck_assert_uint_eq(parse(&parser, bytes, sizeof(bytes), false, &command, &found), COMMAND_TEXT_MAX + 1);
	ck_assert_int_eq(command.kind, COMMAND_MARK);
	ck_assert_uint_eq(strlen(command.text), COMMAND_TEXT_MAX - 5);
	bytes[COMMAND_TEXT_MAX] = 'a';
	used = parse(&parser, bytes, COMMAND_TEXT_MAX + 1, false, &command, &found);
	ck_assert_uint_gt(used, 0);
	ck_assert(found);
	ck_assert_int_eq(command.kind, COMMAND_INVALID);
	ck_assert_uint_eq(parse(&parser, bytes + used, 1000, false, &command, &found), 1000);
	ck_assert(!found);
	ck_assert_uint_eq(parse(&parser, "aa\nping\n", 8, false, &command, &found), 3);
	ck_assert(!found);
	ck_assert_uint_eq(parse(&parser, "ping\n", 5, false, &command, &found), 5);
	ck_assert_int_eq(command.kind, COMMAND_PING);
}
END_TEST

static const struct {
	int32_t word;
	enum command_kind kind;
} binary_rows[] = {
	{ 0, COMMAND_PAUSE }, { 1, COMMAND_RESUME }, { 2, COMMAND_INVALID }, { 3, COMMAND_INVALID },
	{ 77, COMMAND_INVALID }, { -1, COMMAND_INVALID }, { INT32_MIN, COMMAND_INVALID }, { 0x01000000, COMMAND_INVALID },
};

START_TEST(binary_word_means_what_the_table_says)
{
	struct parser parser = { .skipping = false };
	struct command command;
	uint8_t bytes[8];
	bool found;

	memcpy(bytes, &binary_rows[_i].word, 4);
	for (size_t len = 0; len < 4; len++)
		ck_assert_uint_eq(protocol_binary.parse(&parser, bytes, len, false, &command, &found), 0);
	ck_assert_uint_eq(protocol_binary.parse(&parser, bytes, 8, false, &command, &found), 4);
	ck_assert(found);
	ck_assert_int_eq(command.kind, binary_rows[_i].kind);
	ck_assert_int_eq(command.word, binary_rows[_i].word);
	ck_assert_ptr_null(command.text);
}
END_TEST

START_TEST(part_of_a_binary_word_at_the_end_is_invalid)
{
	struct parser parser = { .skipping = false };
	static const uint8_t bytes[4];
	struct command command;
	bool found;

	ck_assert_uint_eq(protocol_binary.parse(&parser, bytes, (size_t)_i, true, &command, &found), (size_t)_i);
	ck_assert_int_eq(found, _i > 0);
	if (found)
		ck_assert_int_eq(command.kind, COMMAND_INVALID);
}
END_TEST

START_TEST(answers_are_spelled_as_documented)
{
	uint8_t buf[PROTOCOL_ANSWER_MAX];
	int32_t word;

	ck_assert_uint_eq(protocol_text.answer_bytes, 5);
	protocol_text.answer(0, buf);
	ck_assert_mem_eq(buf, "ack\n\0", 5);
	protocol_text.answer(-EINVAL, buf);
	ck_assert_mem_eq(buf, "nak\n\0", 5);
	ck_assert_uint_eq(protocol_binary.answer_bytes, 4);
	protocol_binary.answer(0, buf);
	memcpy(&word, buf, 4);
	ck_assert_int_eq(word, 2);
	protocol_binary.answer(-EINVAL, buf);
	memcpy(&word, buf, 4);
	ck_assert_int_eq(word, -22);
}
END_TEST

START_TEST(every_command_has_a_name)
{
	for (int kind = 0; kind <= COMMAND_INVALID; kind++)
		ck_assert_ptr_nonnull(command_name((enum command_kind)kind));
	ck_assert_str_eq(command_name((enum command_kind)99), "unknown command");
}
END_TEST

static void add(TCase *tcase)
{
	tcase_add_loop_test(tcase, text_line_means_what_the_table_says, 0, (int)ARRAY_SIZE(text_rows));
	tcase_add_test(tcase, newline_and_nul_together_make_one_command);
	tcase_add_test(tcase, unfinished_text_word_at_the_end_is_invalid);
	tcase_add_test(tcase, line_that_is_too_long_is_refused_once);
	tcase_add_loop_test(tcase, binary_word_means_what_the_table_says, 0, (int)ARRAY_SIZE(binary_rows));
	tcase_add_loop_test(tcase, part_of_a_binary_word_at_the_end_is_invalid, 0, 4);
	tcase_add_test(tcase, answers_are_spelled_as_documented);
	tcase_add_test(tcase, every_command_has_a_name);
}

int main(void)
{
	return unit_main("protocol", add);
}
