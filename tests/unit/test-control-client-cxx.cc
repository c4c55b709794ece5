/* The client header in C++11: the guard object and the scoped form, left by exceptions too. */
#include <pstat/control.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <string>

#include "lib/control_server.h"

extern "C" int other_unit_resume(const char *text);

static void expect(bool ok, const char *what)
{
	if (ok)
		return;
	(void)std::fprintf(stderr, "FAIL: %s\n", what);
	std::exit(1);
}

static void throw_in_window()
{
	PSTAT_WINDOW("thrown") {
		throw std::runtime_error("out");
	}
}

static int break_and_return()
{
	PSTAT_WINDOW(nullptr) {
		break;
	}
	PSTAT_WINDOW("returned") {
		return 1;
	}
	return 0;
}

static void close_early()
{
	pstat::window first("first");

	expect(first.status() == 0, "a window opens");
	expect(first.close() == 0 && !first.is_open(), "a window closes early");
	expect(first.close() == 0, "closing twice is fine");
	expect(pstat::window("no").status() == -ECANCELED, "a refusal is told");
}

int main()
{
	int cmd_fd, ack_fd, runs = 0;

	PSTAT_WINDOW("without pstat")
		runs++;
	expect(runs == 1, "a window runs once without pstat");
	control_server *server = server_start(1, &cmd_fd, &ack_fd);
	expect(pstat_open_fds(cmd_fd, ack_fd) == 0, "open");
	try {
		throw_in_window();
		expect(false, "the exception gets through");
	} catch (const std::runtime_error &) {
	}
	expect(break_and_return() == 1, "return leaves a window");
	close_early();
	expect(other_unit_resume("from C") == 0, "C and C++ share the state");
	expect(pstat_close() == 0, "close");
	char *log = server_finish(server);
	const std::string got = log;
	std::free(log);
	expect(got == "resume thrown\npause\nresume\npause\nresume returned\npause\nresume first\npause\n"
		      "resume no\npause\nresume from C\n", got.c_str());
	return 0;
}
