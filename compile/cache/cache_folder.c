/* Everything goes through descriptors: of the folder, and of each file in it, so that what was
 * looked at is what is used. */
#include "cache_folder.h"

#include "file.h"
#include "lac_ascii.h"
#include "lac_temporary.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { DEFAULT_SIZE = 256 << 20, ABANDONED = 3600 /* seconds */ };

//--- Whom to trust -------------------------------------------------------------------------------

static bool is_ours_alone(const struct stat *found) {
  return found->st_uid == geteuid() && !(found->st_mode & (S_IWGRP | S_IWOTH));
}

/* A folder, made where it is not there; NULL where nothing says which.  The caller frees it. */
static char *path_of_folder(void) {
  const char *base = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
  char *parent = NULL, *path = NULL;
  bool has_base = base && *base == '/';
  if (!has_base && !(home && *home == '/'))
    return NULL;
  if (asprintf(&parent, has_base ? "%s" : "%s/.cache", has_base ? base : home) < 0)
    return NULL;
  mkdir(parent, 0700);
  if (asprintf(&path, "%s/lacuna", parent) < 0)
    path = NULL;
  free(parent);
  if (path)
    mkdir(path, 0700);
  return path;
}

/* The folder's descriptor; -1 where there is none, or others may write in it. */
static int open_folder(void) {
  char *path = path_of_folder();
  struct stat found;
  int folder = path ? open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC) : -1;
  free(path);
  if (folder < 0 || (!fstat(folder, &found) && is_ours_alone(&found)))
    return folder;
  close(folder);
  return -1;
}

/* A file's descriptor and its size; -1 where it is none of ours. */
static int open_file(int folder, const char *name, size_t *size) {
  struct stat found;
  int file = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  if (file < 0)
    return -1;
  if (!fstat(file, &found) && S_ISREG(found.st_mode) && is_ours_alone(&found)) {
    *size = (size_t)found.st_size;
    return file;
  }
  close(file);
  return -1;
}

//--- Reading -------------------------------------------------------------------------------------

static bool read_all(int file, char *bytes, size_t size) {
  while (size > 0) {
    ssize_t got = read(file, bytes, size);
    if (got == 0 || (got < 0 && errno != EINTR))
      return false;
    bytes += got > 0 ? got : 0;
    size -= got > 0 ? (size_t)got : 0;
  }
  return true;
}

/* The time of a file is when it was used last. */
static cache_bytes read_file(int file, size_t size) {
  cache_bytes content = {malloc(size + 1), size};
  if (content.data && read_all(file, content.data, size)) {
    futimens(file, NULL);
    return content;
  }
  free(content.data);
  return (cache_bytes){NULL, 0};
}

cache_bytes cache_folder_read(const char *name) {
  cache_bytes content = {NULL, 0};
  size_t size;
  int folder = open_folder(), file = folder < 0 ? -1 : open_file(folder, name, &size);
  if (file >= 0) {
    content = read_file(file, size);
    close(file);
  }
  if (folder >= 0)
    close(folder);
  return content;
}

//--- How much ------------------------------------------------------------------------------------

/* A number, and K, M or G behind it. */
static bool read_size(const char *text, uint64_t *size) {
  char *end = NULL;
  if (!lac_is_digit(*text))
    return false;
  uint64_t number = strtoull(text, &end, 10);
  unsigned shift = *end == 'K' ? 10 : *end == 'M' ? 20 : *end == 'G' ? 30 : 0;
  if (end[shift != 0])
    return false;
  *size = number > UINT64_MAX >> shift ? UINT64_MAX : number << shift;
  return true;
}

static uint64_t most_bytes(void) {
  const char *text = getenv("LACUNA_CACHE_SIZE");
  uint64_t size;
  return text && read_size(text, &size) ? size : DEFAULT_SIZE;
}

const char *cache_folder_refused_size(void) {
  const char *text = getenv("LACUNA_CACHE_SIZE");
  uint64_t size;
  return text && !read_size(text, &size) ? text : NULL;
}

typedef struct cached_file {
  char *name;
  struct timespec used;
  uint64_t size;
} cached_file;

typedef struct listing {
  cached_file *files;
  size_t count, room;
  uint64_t size;
} listing;

static bool list_file(listing *l, const char *name, const struct stat *found) {
  if (l->count == l->room) {
    size_t room = l->room ? 2 * l->room : 64;
    cached_file *grown = realloc(l->files, room * sizeof *grown);
    if (!grown)
      return false;
    l->files = grown;
    l->room = room;
  }
  cached_file file = {strdup(name), found->st_mtim, (uint64_t)found->st_size};
  if (!file.name)
    return false;
  l->files[l->count++] = file;
  l->size += file.size;
  return true;
}

/* Left by a process that ended while it wrote. */
static bool is_abandoned(const char *name, const struct stat *found) {
  return strchr(name, '.') && time(NULL) - found->st_mtim.tv_sec > ABANDONED;
}

static void list_files(listing *l, int folder) {
  int again = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  DIR *entries = again < 0 ? NULL : fdopendir(again);
  struct stat found;
  if (!entries && again >= 0)
    close(again);
  for (struct dirent *e; entries && (e = readdir(entries));) {
    if (fstatat(folder, e->d_name, &found, AT_SYMLINK_NOFOLLOW) || !S_ISREG(found.st_mode))
      continue;
    if (is_abandoned(e->d_name, &found))
      unlinkat(folder, e->d_name, 0);
    else if (!list_file(l, e->d_name, &found))
      break;
  }
  if (entries)
    closedir(entries);
}

static int compare_use(const void *a, const void *b) {
  const struct timespec *x = &((const cached_file *)a)->used, *y = &((const cached_file *)b)->used;
  if (x->tv_sec != y->tv_sec)
    return x->tv_sec < y->tv_sec ? -1 : 1;
  return x->tv_nsec < y->tv_nsec ? -1 : x->tv_nsec > y->tv_nsec;
}

/* What another process removed at the same time is gone all the same. */
static void keep_within(int folder, uint64_t most) {
  listing l = {0};
  list_files(&l, folder);
  if (l.size > most)
    qsort(l.files, l.count, sizeof *l.files, compare_use);
  for (size_t i = 0; i < l.count; i++) {
    if (l.size > most && (!unlinkat(folder, l.files[i].name, 0) || errno == ENOENT))
      l.size -= l.files[i].size;
    free(l.files[i].name);
  }
  free(l.files);
}

//--- Writing -------------------------------------------------------------------------------------

/* A name that no file has: its whole path, for a signal's handler, which knows no folder. */
static char *temporary_path(const char *name) {
  static atomic_uint serial;
  char *folder = path_of_folder(), *path = NULL;
  if (folder && asprintf(&path, "%s/%s.%ld-%u", folder, name, (long)getpid(),
                         atomic_fetch_add(&serial, 1)) < 0)
    path = NULL;
  free(folder);
  return path;
}

static const char *name_in_folder(const char *path) {
  return strrchr(path, '/') + 1;
}

static void forget(char **temporary) {
  lac_temporary_take_back(*temporary);
  free(*temporary);
  *temporary = NULL;
}

static int create_beside(int folder, const char *name, char **temporary) {
  int file = -1;
  do {
    forget(temporary);
    *temporary = temporary_path(name);
    if (!*temporary)
      return -1;
    lac_temporary_add(*temporary);
    file = openat(folder, name_in_folder(*temporary),
                  O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
  } while (file < 0 && errno == EEXIST);
  return file;
}

static void write_file(int folder, const char *name, const cache_bytes *content) {
  char *temporary = NULL;
  int file = create_beside(folder, name, &temporary);
  if (file >= 0) {
    bool written = file_write_all(file, content->data, content->size);
    written &= !close(file);
    if (!written || renameat(folder, name_in_folder(temporary), folder, name))
      unlinkat(folder, name_in_folder(temporary), 0);
  }
  forget(&temporary);
}

void cache_folder_write(const char *name, const cache_bytes *content) {
  uint64_t most = most_bytes();
  int folder = content->size > most ? -1 : open_folder();
  if (folder < 0)
    return;
  write_file(folder, name, content);
  keep_within(folder, most);
  close(folder);
}
