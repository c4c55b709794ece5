/* The text protocol: perf's control words and pstat's own, each ended by a newline or a NUL byte. */
#include <string.h>

#include "control/command.h"

/* A word that takes an optional text may mean two things: one alone, one with the text behind it. */
static const struct word {
	const char *name;
	enum command_kind alone;
	enum command_kind with_text;
} words[] = {
	{ "enable", COMMAND_RESUME, COMMAND_ENABLE_EVENT },
	{ "disable", COMMAND_PAUSE, COMMAND_DISABLE_EVENT },
	{ "resume", COMMAND_RESUME, COMMAND_RESUME },
	{ "pause", COMMAND_PAUSE, COMMAND_INVALID },
	{ "mark", COMMAND_INVALID, COMMAND_MARK },
	{ "ping", COMMAND_PING, COMMAND_INVALID },
	{ "stop", COMMAND_STOP, COMMAND_INVALID },
	{ "evlist", COMMAND_EVLIST, COMMAND_EVLIST },
};

static bool is_end(uint8_t byte)
{
	return byte == '\n' || byte == '\0';
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r';
}

/* The number of bytes before the first line end, len when there is none. */
static size_t line_length(const uint8_t *bytes, size_t len)
{
	size_t n = 0;

	while (n < len && !is_end(bytes[n]))
		n++;
	return n;
}

/* Whether a listing takes the form asked for. */
static bool is_listing(const char *text)
{
	return strcmp(text, "-v") == 0 || strcmp(text, "-g") == 0 || strcmp(text, "-F") == 0;
}

static enum command_kind kind_of(const struct word *word, const char *text)
{
	if (!text)
		return word->alone;
	return word->with_text == COMMAND_EVLIST && !is_listing(text) ? COMMAND_INVALID : word->with_text;
}

/* What the line in parser->text says. A line that is not understood stays whole, to be quoted. */
static void understand(struct parser *parser, struct command *command)
{
	char *line = parser->text;
	size_t len = strcspn(line, " \t");
	const char *text = line + len + strspn(line + len, " \t");

	*command = (struct command){ .kind = COMMAND_INVALID, .text = line };
	for (size_t i = 0; i < ARRAY_SIZE(words); i++) {
		if (strlen(words[i].name) != len || memcmp(words[i].name, line, len) != 0)
			continue;
		command->kind = kind_of(&words[i], *text ? text : NULL);
		if (command->kind != COMMAND_INVALID)
			command->text = *text ? text : NULL;
		return;
	}
}

/* Copies a line without the blanks at its end, which clients with other line ends leave there. */
static bool take_line(struct parser *parser, const uint8_t *bytes, size_t len)
{
	memcpy(parser->text, bytes, len);
	while (len > 0 && is_blank(parser->text[len - 1]))
		len--;
	parser->text[len] = '\0';
	return len > 0;
}

static size_t text_parse(struct parser *parser, const uint8_t *bytes, size_t len, bool at_end,
			 struct command *command, bool *found)
{
	size_t n = line_length(bytes, len);
	bool ended = n < len;

	*found = false;
	if (parser->skipping) {
		parser->skipping = !ended;
		return n + ended;
	}
	if (n > COMMAND_TEXT_MAX) {
		*found = take_line(parser, bytes, COMMAND_TEXT_MAX);
		*command = (struct command){ .kind = COMMAND_INVALID, .text = parser->text };
		parser->skipping = true;
		return COMMAND_TEXT_MAX;
	}
	if (!ended && !at_end)
		return 0;
	*found = take_line(parser, bytes, n);
	understand(parser, command);
	if (!ended) {
		command->kind = COMMAND_INVALID; /* it may be the front of a longer word */
		command->text = parser->text;
	}
	return n + ended;
}

static void text_answer(int result, uint8_t *buf)
{
	memcpy(buf, result < 0 ? "nak\n" : "ack\n", sizeof("ack\n"));
}

const struct protocol protocol_text = {
	.name = "text",
	.parse = text_parse,
	.answer = text_answer,
	.answer_bytes = sizeof("ack\n"),
};
