/* cache_folder.h - the folder that compiled code is kept in: files by name, nobody else's to write,
 * and of a bounded size together.
 *
 * The folder is $XDG_CACHE_HOME/lacuna, or ~/.cache/lacuna, and is made where it is not there.  It
 * is used only where it is this user's own and nobody else may write in it; so is each file, which
 * is looked at through the descriptor that it is then read by.  Symbolic links are not followed.
 *
 * Together the files have at most LACUNA_CACHE_SIZE bytes (of the environment: `64M`, `2G`, ...;
 * 256 MB without it): those used least lately go first.  Processes may share the folder: a file is
 * written under another name and renamed, and one that is removed while another process reads it
 * stays whole for that one.
 */
#ifndef LACUNA_CACHE_FOLDER_H
#define LACUNA_CACHE_FOLDER_H

#include "cache.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What LACUNA_CACHE_SIZE says, where that is no size and so is not heeded; else NULL. */
const char *cache_folder_refused_size(void);

/* The content of a file, which counts as used now; no data where there is none to trust.  The
 * caller frees it. */
cache_bytes cache_folder_read(const char *name);

/* Makes a file, or replaces it, where that is possible, and removes what there is then too much. */
void cache_folder_write(const char *name, const cache_bytes *content);

#ifdef __cplusplus
}
#endif
#endif
