/* A timer as a descriptor, armed with absolute times only. */
#include "loop/timer_source.h"

#include <errno.h>
#include <sys/timerfd.h>

#include "base/clock.h"

int timer_source_open(struct timer_source *timer, struct ps_error *err)
{
	timer->fd = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
	if (timer->fd < 0)
		return ps_fail(err, "timer", errno, "making a timer");
	return 0;
}

static struct timespec to_timespec(uint64_t ns)
{
	return (struct timespec){ .tv_sec = (time_t)(ns / NS_PER_S), .tv_nsec = (long)(ns % NS_PER_S) };
}

int timer_source_arm(struct timer_source *timer, uint64_t first_ns, uint64_t period_ns, struct ps_error *err)
{
	const struct itimerspec spec = {
		.it_value = to_timespec(first_ns ? first_ns : 1), /* all zero would switch it off */
		.it_interval = to_timespec(period_ns),
	};

	if (timerfd_settime(timer->fd, TFD_TIMER_ABSTIME, &spec, NULL) < 0)
		return ps_fail(err, "timer", errno, "setting the timer");
	return 0;
}

int timer_source_disarm(struct timer_source *timer, struct ps_error *err)
{
	const struct itimerspec off = { .it_value = { 0, 0 } };

	if (timerfd_settime(timer->fd, 0, &off, NULL) < 0)
		return ps_fail(err, "timer", errno, "switching the timer off");
	return 0;
}

int64_t timer_source_take(struct timer_source *timer, struct ps_error *err)
{
	uint64_t expiries;
	ssize_t n;

	do
		n = read(timer->fd, &expiries, sizeof(expiries));
	while (n < 0 && errno == EINTR);
	if (n < 0 && errno == EAGAIN)
		return 0;
	if (n != (ssize_t)sizeof(expiries))
		return ps_fail(err, "timer", n < 0 ? errno : EIO, "reading the timer");
	return expiries > INT64_MAX ? INT64_MAX : (int64_t)expiries;
}

void timer_source_close(struct timer_source *timer)
{
	attr_close(&timer->fd);
	timer->fd = -1;
}
