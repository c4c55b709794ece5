/* Standard input, output and error. */
#include "cli/standard.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

int standard_hold(void)
{
	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++) {
		int wrong_way = fd == STDIN_FILENO ? O_WRONLY : O_RDONLY;

		if (fcntl(fd, F_GETFD) >= 0)
			continue;
		if (open("/dev/null", wrong_way | O_CLOEXEC) != fd) /* the lowest that is free */
			return errno ? -errno : -EBADF;
	}
	return 0;
}
