/* progress.h - a bar on the terminal for what takes more than a second. */
#ifndef LACUNA_RUN_PROGRESS_H
#define LACUNA_RUN_PROGRESS_H

/* Begins a task of this name; nothing shows in its first second, nor where standard error is no
 * terminal. */
void progress_begin(const char *task);

/* How much of the task is done, 0 to 1 (`data` is not looked at, so that readers take this as their
 * callback).  A task that never says so shows the time it takes. */
void progress_update(void *data, double fraction);

/* Ends the task and wipes the bar. */
void progress_end(void);

#endif
