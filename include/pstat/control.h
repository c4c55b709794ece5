/*
 * Control pstat from inside the program that is measured. Header only, C99 and C++11, GCC and Clang on Linux.
 *
 *	pstat record -D -1 --workload-control -- ./prog
 *
 *	#include <pstat/control.h>
 *
 *	pstat_open();
 *	PSTAT_WINDOW("sort") {
 *		sort(data);                     only this is counted
 *	}
 *	pstat_close();
 *
 * Every function that returns an int returns 0 or a negative errno value, and leaves errno alone. A call returns when
 * pstat has answered, which means that the counters have changed state (with no descriptor for answers: when the command
 * is written). Where the program is not run under pstat, pstat_open finds nothing, returns 0, and every other call is a
 * load and a branch and returns 0.
 *
 *	-EINVAL     a text that is empty or holds a line end; a descriptor in the environment that is no number
 *	-EMSGSIZE   a text of more than PSTAT_TEXT_MAX bytes
 *	-EBADF      a descriptor that is not open, or is not a pipe, FIFO, socket or terminal
 *	-EBUSY      pstat_open_fds: open already, over other descriptors
 *	-ECANCELED  pstat refused the command; its standard error says why
 *	-EPROTO     the answer is not one: something else reads or writes the same descriptors
 *	-EPIPE      pstat has gone. Said once, from then on it is as if not run under pstat
 *	others      as from read(2), write(2) and poll(2)
 *
 * Threads: all calls may be made from several threads at once and are served one after the other. There is one state per
 * process, shared by everything in it that includes this header, libraries and C and C++ alike (the one symbol is
 * pstat_control_state, and weak). Only what was loaded by dlopen(3) with RTLD_LOCAL has a state of its own: it works, but
 * its calls must not coincide with those of others. Not for signal handlers.
 * Counting itself is one switch for the whole program: windows do not nest, and the first pause ends the window.
 *
 * Processes: in a child made by fork(2) every call does nothing and returns 0, also pstat_open, when the parent had called
 * it before. A program that is exec'ed starts afresh; no two processes should send commands at the same time.
 *
 * Cost: 30 to 32 us a call until the answer is there (pstat_open and pstat_close send nothing), and 2 to 3 ns where the program is
 * not run under pstat. Measured by `make bench`: four software events, two CPUs of a virtual machine, the median of 4000 calls,
 * and the mean of 100 million.
 *
 * No memory is allocated. SIGPIPE is never raised over a socket, which is what pstat hands to a workload; over a pipe only
 * if pstat dies in the very moment of the write. Wire format: pstat-control(7), the text protocol. Calls without a text
 * use the words that perf(1) has too, so they work under `perf stat --control fd:` as well.
 */
#ifndef PSTAT_CONTROL_H
#define PSTAT_CONTROL_H

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/types.h>
#include <unistd.h>

#define PSTAT_TEXT_MAX 1000 /* longest label or mark, bytes */

#ifdef __cplusplus
#define PSTAT_CAST_(type, value) static_cast<type>(value)
#define PSTAT_NOTHROW_ noexcept
extern "C" {
#else
#define PSTAT_CAST_(type, value) ((type)(value))
#define PSTAT_NOTHROW_
#endif

/* Private. */
struct pstat_control_state_ {
	int active;           /* atomic: commands reach pstat */
	int pid;              /* atomic: of the process that opened, 0 before */
	int cmd_fd, ack_fd;   /* borrowed; ack_fd -1: no answers */
	int is_socket;        /* cmd_fd */
	unsigned int users;   /* pstat_open less pstat_close */
	pthread_mutex_t lock; /* for all but the atomic ones, and held while an answer is awaited */
};

/* Weak, so that every translation unit may define it, and linkers keep one of the process. */
extern struct pstat_control_state_ pstat_control_state;
__attribute__((weak, visibility("default"))) struct pstat_control_state_ pstat_control_state = {
	0, 0, -1, -1, 0, 0, PTHREAD_MUTEX_INITIALIZER
};

/* Waits until fd is ready for events. 0 or -errno. */
static inline int pstat_await_(int fd, short events) PSTAT_NOTHROW_
{
	struct pollfd pfd;

	pfd.fd = fd;
	pfd.events = events;
	pfd.revents = 0;
	while (poll(&pfd, 1, -1) < 0)
		if (errno != EINTR)
			return -errno;
	return pfd.revents & POLLNVAL ? -EBADF : 0;
}

/* One write(2) that raises no SIGPIPE. As write(2). */
static inline ssize_t pstat_write_once_(int fd, int is_socket, const char *bytes, size_t len) PSTAT_NOTHROW_
{
	struct pollfd pfd;

	if (is_socket)
		return send(fd, bytes, len, MSG_NOSIGNAL);
	pfd.fd = fd;
	pfd.events = POLLOUT;
	pfd.revents = 0;
	if (poll(&pfd, 1, 0) > 0 && (pfd.revents & POLLERR)) {
		errno = EPIPE;
		return -1;
	}
	return write(fd, bytes, len);
}

/* Writes all of it. 0 or -errno. */
static inline int pstat_write_(int fd, int is_socket, const char *bytes, size_t len) PSTAT_NOTHROW_
{
	while (len > 0) {
		ssize_t n = pstat_write_once_(fd, is_socket, bytes, len);
		int rc = 0;

		if (n >= 0) {
			bytes += n;
			len -= PSTAT_CAST_(size_t, n);
		} else if (errno == EAGAIN) {
			rc = pstat_await_(fd, POLLOUT);
		} else if (errno != EINTR) {
			rc = errno == ECONNRESET ? -EPIPE : -errno;
		}
		if (rc < 0)
			return rc;
	}
	return 0;
}

/* Reads one answer, "ack\n\0" or "nak\n\0". 0, -ECANCELED for a refusal, -errno. */
static inline int pstat_read_answer_(int fd) PSTAT_NOTHROW_
{
	char answer[5];
	size_t got = 0;

	while (got < sizeof(answer)) {
		ssize_t n = read(fd, answer + got, sizeof(answer) - got);
		int rc = 0;

		if (n > 0)
			got += PSTAT_CAST_(size_t, n);
		else if (n == 0)
			rc = -EPIPE;
		else if (errno == EAGAIN)
			rc = pstat_await_(fd, POLLIN);
		else if (errno != EINTR)
			rc = errno == ECONNRESET ? -EPIPE : -errno;
		if (rc < 0)
			return rc;
	}
	if (memcmp(answer, "ack\n", sizeof(answer)) == 0)
		return 0;
	return memcmp(answer, "nak\n", sizeof(answer)) == 0 ? -ECANCELED : -EPROTO;
}

/* Sends one line under the lock and waits for its answer. */
static inline int pstat_exchange_(const char *line, size_t len) PSTAT_NOTHROW_
{
	struct pstat_control_state_ *state = &pstat_control_state;
	int rc;

	if (!state->users) /* closed by another thread meanwhile */
		return 0;
	rc = pstat_write_(state->cmd_fd, state->is_socket, line, len);
	if (rc == 0 && state->ack_fd >= 0)
		rc = pstat_read_answer_(state->ack_fd);
	if (rc < 0 && rc != -ECANCELED) { /* what comes next could not be told from a late answer */
		state->users = 0;
		__atomic_store_n(&state->active, 0, __ATOMIC_RELAXED);
	}
	return rc;
}

/* Takes the lock with cancellation off, for a thread cancelled in read(2) would keep it. Returns the state to put back. */
static inline int pstat_lock_(void) PSTAT_NOTHROW_
{
	int cancel = 0;

#ifndef __ANDROID__
	(void)pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel);
#endif
	(void)pthread_mutex_lock(&pstat_control_state.lock);
	return cancel;
}

static inline void pstat_unlock_(int cancel) PSTAT_NOTHROW_
{
	(void)pthread_mutex_unlock(&pstat_control_state.lock);
#ifndef __ANDROID__
	(void)pthread_setcancelstate(cancel, &cancel);
#else
	(void)cancel;
#endif
}

/* Whether the state is another process's: this one is a fork of it, and its lock may be held by a thread that is not here. */
static inline int pstat_is_forked_(void) PSTAT_NOTHROW_
{
	return __atomic_load_n(&pstat_control_state.pid, __ATOMIC_RELAXED) != PSTAT_CAST_(int, getpid());
}

/* Sends word and, unless it is NULL, text. */
static inline int pstat_command_(const char *word, const char *text) PSTAT_NOTHROW_
{
	char line[PSTAT_TEXT_MAX + 16];
	size_t len = strlen(word), text_len = text ? strlen(text) : 0;
	int saved = errno, cancel, rc;

	if (pstat_is_forked_())
		return 0;
	if (text && (!text_len || strchr(text, '\n')))
		return -EINVAL;
	if (text_len > PSTAT_TEXT_MAX)
		return -EMSGSIZE;
	memcpy(line, word, len);
	if (text) {
		line[len++] = ' ';
		memcpy(line + len, text, text_len);
		len += text_len;
	}
	line[len++] = '\n';
	cancel = pstat_lock_();
	rc = pstat_exchange_(line, len);
	pstat_unlock_(cancel);
	errno = saved;
	return rc;
}

/* A descriptor fit for commands: open, and not a file that something else got under this number. 0 or -EBADF. */
static inline int pstat_check_(int fd) PSTAT_NOTHROW_
{
	return lseek(fd, 0, SEEK_CUR) < 0 && errno == ESPIPE ? 0 : -EBADF;
}

/* Puts descriptors into the state. Under the lock. */
static inline int pstat_adopt_(int cmd_fd, int ack_fd) PSTAT_NOTHROW_
{
	struct pstat_control_state_ *state = &pstat_control_state;
	int type = 0;
	socklen_t len = sizeof(type);

	if (state->users) {
		if (state->cmd_fd != cmd_fd || state->ack_fd != ack_fd)
			return -EBUSY;
		state->users++;
		return 0;
	}
	if (pstat_check_(cmd_fd) < 0 || (ack_fd >= 0 && pstat_check_(ack_fd) < 0))
		return -EBADF;
	state->cmd_fd = cmd_fd;
	state->ack_fd = ack_fd;
	state->is_socket = getsockopt(cmd_fd, SOL_SOCKET, SO_TYPE, &type, &len) == 0;
	state->users = 1;
	__atomic_store_n(&state->active, 1, __ATOMIC_RELAXED);
	return 0;
}

/* The descriptor that an environment variable names. -1 when it is not set, -EINVAL when it is no number. */
static inline int pstat_env_fd_(const char *name) PSTAT_NOTHROW_
{
	const char *text = getenv(name);
	char *end = NULL;
	long fd;

	if (!text || !*text)
		return -1;
	fd = strtol(text, &end, 10);
	return *end || fd < 0 || fd > 0x7fffffff ? -EINVAL : PSTAT_CAST_(int, fd);
}

/*
 * Commands go to cmd_fd and answers come from ack_fd; both may be the same socket; ack_fd -1: do not wait for answers.
 * Borrowed: they must stay open until pstat_close, and are never closed here. May be called again with the same
 * descriptors, then pstat_close is due as often. 0, -EBADF, -EBUSY.
 */
static inline int pstat_open_fds(int cmd_fd, int ack_fd) PSTAT_NOTHROW_
{
	int saved = errno, none = 0, cancel, rc;

	/* Before the lock, so that a child forked while it is held does not wait for it. */
	(void)__atomic_compare_exchange_n(&pstat_control_state.pid, &none, PSTAT_CAST_(int, getpid()), 0,
					  __ATOMIC_RELAXED, __ATOMIC_RELAXED);
	if (pstat_is_forked_())
		return 0;
	cancel = pstat_lock_();
	rc = pstat_adopt_(cmd_fd, ack_fd < 0 ? -1 : ack_fd);
	pstat_unlock_(cancel);
	errno = saved;
	return rc;
}

/*
 * The same with the descriptors that pstat handed over in PSTAT_CMD_FD and PSTAT_ACK_FD. 0 also where they are not set:
 * the program is not run under pstat. -EINVAL, -EBADF, -EBUSY.
 */
static inline int pstat_open(void) PSTAT_NOTHROW_
{
	int cmd_fd = pstat_env_fd_("PSTAT_CMD_FD");
	int ack_fd = pstat_env_fd_("PSTAT_ACK_FD");

	if (cmd_fd == -1)
		return 0;
	if (cmd_fd < 0 || ack_fd < -1)
		return -EINVAL;
	return pstat_open_fds(cmd_fd, ack_fd);
}

/* Whether commands reach pstat: 1 or 0. */
static inline int pstat_active(void) PSTAT_NOTHROW_
{
	return __atomic_load_n(&pstat_control_state.active, __ATOMIC_RELAXED) && !pstat_is_forked_();
}

/* Counting on: a window begins. Nothing changes when it is on already. */
static inline int pstat_resume(void) PSTAT_NOTHROW_
{
	return __atomic_load_n(&pstat_control_state.active, __ATOMIC_RELAXED) ? pstat_command_("enable", NULL) : 0;
}

/* The same, and the window is called text. NULL: no name. */
static inline int pstat_resume_as(const char *text) PSTAT_NOTHROW_
{
	if (!text)
		return pstat_resume();
	return __atomic_load_n(&pstat_control_state.active, __ATOMIC_RELAXED) ? pstat_command_("resume", text) : 0;
}

/* Counting off: the window ends. Nothing changes when it is off already. */
static inline int pstat_pause(void) PSTAT_NOTHROW_
{
	return __atomic_load_n(&pstat_control_state.active, __ATOMIC_RELAXED) ? pstat_command_("disable", NULL) : 0;
}

/* A mark in the recording at the present time, counting or not. */
static inline int pstat_mark(const char *text) PSTAT_NOTHROW_
{
	return __atomic_load_n(&pstat_control_state.active, __ATOMIC_RELAXED) ? pstat_command_("mark", text ? text : "") : 0;
}

/* Undoes one open; after the last no more commands are sent. Counting stays as it is. Closes no descriptor. 0. */
static inline int pstat_close(void) PSTAT_NOTHROW_
{
	struct pstat_control_state_ *state = &pstat_control_state;
	int cancel;

	if (!pstat_active())
		return 0;
	cancel = pstat_lock_();
	if (state->users && --state->users == 0)
		__atomic_store_n(&state->active, 0, __ATOMIC_RELAXED);
	pstat_unlock_(cancel);
	return 0;
}

#ifdef __cplusplus
} /* extern "C" */

namespace pstat {

/* A window as long as the object lives: { pstat::window w("sort"); sort(data); } */
class window {
public:
	explicit window(const char *text = nullptr) noexcept : status_(pstat_resume_as(text)), open_(true)
	{
	}
	~window()
	{
		close();
	}
	window(const window &) = delete;
	window &operator=(const window &) = delete;

	/* Ends the window before its time. 0 or -errno; 0 the second time. */
	int close() noexcept
	{
		bool was_open = open_;

		open_ = false;
		return was_open ? pstat_pause() : 0;
	}
	/* What the resume returned. */
	int status() const noexcept
	{
		return status_;
	}
	bool is_open() const noexcept
	{
		return open_;
	}

private:
	int status_;
	bool open_;
};

} /* namespace pstat */

#define PSTAT_WINDOW(text) \
	for (::pstat::window pstat_window_(text); pstat_window_.is_open(); (void)pstat_window_.close())

#else /* C */

/* Private: what PSTAT_WINDOW keeps. */
struct pstat_window_ {
	int open;
};

static inline struct pstat_window_ pstat_window_begin_(const char *text)
{
	struct pstat_window_ window = { 1 };

	(void)pstat_resume_as(text); /* a window that cannot be counted is still run */
	return window;
}

static inline void pstat_window_end_(struct pstat_window_ *window)
{
	if (window->open)
		(void)pstat_pause();
	window->open = 0;
}

/*
 * PSTAT_WINDOW("name") { ... } counts the block. The window ends with the block, also when it is left by break, continue, return or
 * goto. NULL: a window without a name. Errors are not reported; use the functions where they matter.
 */
#define PSTAT_WINDOW(text)                                                                               \
	for (struct pstat_window_ pstat_window_var_ __attribute__((cleanup(pstat_window_end_))) =        \
		     pstat_window_begin_(text);                                                          \
	     pstat_window_var_.open; pstat_window_end_(&pstat_window_var_))

#endif

#endif
