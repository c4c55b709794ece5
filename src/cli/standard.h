/* Standard input, output and error, where a program is started without one of them. */
#ifndef CLI_STANDARD_H
#define CLI_STANDARD_H

/*
 * Fills the numbers 0, 1 and 2 that are not open, so that no file gets one of them and messages end up in a recording. What
 * fills them can neither be read nor written in its direction, which is how a closed descriptor behaves, and is not handed
 * on to commands. To be called first. 0 or -errno.
 */
int standard_hold(void);

#endif
