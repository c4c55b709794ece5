/* The binary protocol: 32-bit integers in the machine's byte order. */
#include <string.h>

#include "control/command.h"

enum { WORD_PAUSE = 0, WORD_RESUME = 1, WORD_DONE = 2 };

static size_t binary_parse(struct parser *parser, const uint8_t *bytes, size_t len, bool at_end,
			   struct command *command, bool *found)
{
	int32_t word;

	(void)parser; /* a word is complete or it is not: nothing to remember */
	*found = false;
	if (len == 0 || (len < sizeof(word) && !at_end))
		return 0;
	*found = true;
	*command = (struct command){ .kind = COMMAND_INVALID };
	if (len < sizeof(word)) {
		command->text = "a part of a word";
		return len;
	}
	memcpy(&word, bytes, sizeof(word));
	command->word = word;
	if (word == WORD_PAUSE)
		command->kind = COMMAND_PAUSE;
	else if (word == WORD_RESUME)
		command->kind = COMMAND_RESUME;
	return sizeof(word);
}

static void binary_answer(int result, uint8_t *buf)
{
	int32_t word = result < 0 ? result : WORD_DONE;

	memcpy(buf, &word, sizeof(word));
}

const struct protocol protocol_binary = {
	.name = "binary",
	.parse = binary_parse,
	.answer = binary_answer,
	.answer_bytes = sizeof(int32_t),
};
