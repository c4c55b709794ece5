/* pstat ctl: sends one command to a running pstat and waits for its answer. */
#ifndef CLI_CTL_H
#define CLI_CTL_H

/*
 * argv[0] is the verb. Returns the exit status: 0 done (or sent, where there are no answers), 1 refused, 2 bad usage, 3 no answer in time, 125
 * everything else. Ignores SIGPIPE from then on.
 */
int ctl_main(int argc, char *argv[]);

#endif
