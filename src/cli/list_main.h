/* `pstat list`: the events this machine can count. */
#ifndef CLI_LIST_MAIN_H
#define CLI_LIST_MAIN_H

/* argv[0] is "list". Returns the exit status. */
int list_main(int argc, char *argv[]);

#endif
