/* `pstat record` and `pstat stat`: one session, written or printed. */
#ifndef CLI_RECORD_MAIN_H
#define CLI_RECORD_MAIN_H

/* argv[0] is the verb; whole_argc and whole_argv are pstat's own, for the file. Return the exit status. */
int record_main(int argc, char *argv[], int whole_argc, char *whole_argv[]);
int stat_main(int argc, char *argv[], int whole_argc, char *whole_argv[]);

#endif
