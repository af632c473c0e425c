/* lac_temporary.h - files that are to vanish where a signal ends the process before they got their
 * name.
 *
 * Who writes a file beside its final place adds its path first and takes it back once it has been
 * renamed or removed.  Nothing happens to it unless a program, which owns its signals, says
 * lac_temporary_clean_up: libraries leave their host's signals alone.
 */
#ifndef LAC_TEMPORARY_H
#define LAC_TEMPORARY_H

#ifdef __cplusplus
extern "C" {
#endif

/* `path`, relative to the folder that the process is in, is lent until it is taken back. Of more
 * than 64 at once the rest is not removed. Any thread. */
void lac_temporary_add(const char *path);
void lac_temporary_take_back(const char *path);

/* From now on SIGINT, SIGTERM, SIGHUP, SIGXCPU and SIGPIPE remove what is there and then do what
 * they did before; those that are ignored stay so. */
void lac_temporary_clean_up(void);

#ifdef __cplusplus
}
#endif
#endif
