/* Both command parsers: however a stream is cut into pieces, it means the same commands, and all of it is used up. */
#include <stdlib.h>
#include <string.h>

#include "control/command.h"

#define IN_BYTES 4096 /* as a channel has */
#define INPUT_MAX 65536

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* What a stream meant: each command's kind, word and text in a row. */
struct meaning {
	unsigned char *bytes;
	size_t len, cap;
};

static void add(struct meaning *meaning, const void *bytes, size_t len)
{
	while (meaning->cap - meaning->len < len) {
		meaning->cap = meaning->cap ? 2 * meaning->cap : 1024;
		meaning->bytes = realloc(meaning->bytes, meaning->cap);
		if (!meaning->bytes)
			abort();
	}
	memcpy(meaning->bytes + meaning->len, bytes, len);
	meaning->len += len;
}

static void add_command(struct meaning *meaning, const struct command *command)
{
	const char *text = command->text ? command->text : "";

	if (strlen(text) > COMMAND_TEXT_MAX)
		abort();
	add(meaning, &command->kind, sizeof(command->kind));
	add(meaning, &command->word, sizeof(command->word));
	add(meaning, text, strlen(text) + 1);
}

/* A stream of bytes on its way through a parser. */
struct stream {
	const struct protocol *protocol;
	struct parser parser;
	uint8_t in[IN_BYTES];
	size_t in_len;
	struct meaning meaning;
};

static void take(struct stream *stream, bool at_end)
{
	size_t at = 0, used;

	do {
		struct command command;
		bool found;

		used = stream->protocol->parse(&stream->parser, stream->in + at, stream->in_len - at, at_end, &command, &found);
		if (used > stream->in_len - at)
			abort();
		if (found)
			add_command(&stream->meaning, &command);
		at += used;
	} while (used);
	stream->in_len -= at;
	memmove(stream->in, stream->in + at, stream->in_len);
	if (stream->in_len > COMMAND_TEXT_MAX || (at_end && stream->in_len))
		abort();
}

/* Feeds pieces whose sizes come from cuts, in turn; 0 stands for as much as there is room. */
static struct meaning feed(const struct protocol *protocol, const uint8_t *bytes, size_t len, const uint8_t *cuts, size_t n)
{
	struct stream stream = { .protocol = protocol };
	size_t at = 0;

	for (size_t i = 0; at < len; i++) {
		size_t room = sizeof(stream.in) - stream.in_len;
		size_t piece = n && cuts[i % n] ? cuts[i % n] : room;

		if (piece > room)
			piece = room;
		if (piece > len - at)
			piece = len - at;
		memcpy(stream.in + stream.in_len, bytes + at, piece);
		stream.in_len += piece;
		at += piece;
		take(&stream, false);
	}
	take(&stream, true);
	return stream.meaning;
}

/* The first byte: how many of the following are piece sizes. The rest is the stream. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const struct protocol *const protocols[] = { &protocol_binary, &protocol_text };
	size_t n = size ? data[0] : 0;

	if (size > INPUT_MAX || size < 1 + n)
		return 0;
	for (size_t i = 0; i < ARRAY_SIZE(protocols); i++) {
		struct meaning whole = feed(protocols[i], data + 1 + n, size - 1 - n, NULL, 0);
		struct meaning cut = feed(protocols[i], data + 1 + n, size - 1 - n, data + 1, n);

		if (whole.len != cut.len || (whole.len && memcmp(whole.bytes, cut.bytes, whole.len) != 0))
			abort();
		free(whole.bytes);
		free(cut.bytes);
	}
	return 0;
}
