/* lac_machine.c - the memory of the machine and of the control group, and its caches; see
 * lac_machine.h.
 *
 *     /proc/meminfo                             MemTotal  MemAvailable  SwapTotal  SwapFree
 *     /sys/fs/cgroup/memory.max, .current       limit and use of a control group (version 2),
 *     /sys/fs/cgroup/memory.stat                of which inactive_file can be dropped
 *     /sys/fs/cgroup/memory/memory.limit_...    the same of version 1
 *     /sys/devices/system/cpu/cpu0/cache/       index3/size, index2/size
 */
#include "lac_machine.h"

#include "lac_integer.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The number behind `name` at the start of a line, in units of `unit`; -1 where there is none. */
static int64_t read_field(const char *path, const char *name, int64_t unit) {
  char line[256];
  size_t length = strlen(name);
  int64_t number = -1;
  FILE *file = fopen(path, "re");
  while (file && number < 0 && fgets(line, sizeof line, file))
    if (strncmp(line, name, length) == 0) {
      char *end;
      number = strtoll(line + length, &end, 10);
      if (end == line + length)
        number = -1;
    }
  if (file)
    fclose(file);
  return number < 0 || number > INT64_MAX / unit ? -1 : number * unit;
}

static int64_t or_zero(int64_t number) {
  return number < 0 ? 0 : number;
}

static int64_t meminfo(const char *memory, const char *swap) {
  int64_t bytes = read_field("/proc/meminfo", memory, 1024);
  return bytes < 0 ? INT64_MAX : bytes + or_zero(read_field("/proc/meminfo", swap, 1024));
}

/* Where a group's files are, by the version of control groups. */
typedef struct group {
  const char *limit, *use, *stat, *inactive;
} group;

static const group groups[] = {
    {"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory.current", "/sys/fs/cgroup/memory.stat",
     "inactive_file "},
    {"/sys/fs/cgroup/memory/memory.limit_in_bytes", "/sys/fs/cgroup/memory/memory.usage_in_bytes",
     "/sys/fs/cgroup/memory/memory.stat", "total_inactive_file "},
};
enum { GROUPS = sizeof groups / sizeof groups[0] };

/* The group's limit, in `*found` which; INT64_MAX where there is none. */
static int64_t group_limit(const group **found) {
  int64_t limit = -1;
  for (int g = 0; g < GROUPS && limit < 0; g++) {
    *found = &groups[g];
    limit = read_field(groups[g].limit, "", 1);
  }
  return limit < 0 ? INT64_MAX : limit;
}

static int64_t total;

static void find_total(void) {
  const group *unused;
  total = lac_minimum(meminfo("MemTotal:", "SwapTotal:"), group_limit(&unused));
}

int64_t lac_machine_memory(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, find_total);
  return total;
}

int64_t lac_machine_free_memory(void) {
  const group *g;
  int64_t available = meminfo("MemAvailable:", "SwapFree:"), limit = group_limit(&g);
  if (limit == INT64_MAX)
    return available;
  int64_t used = or_zero(read_field(g->use, "", 1));
  return lac_minimum(available, limit - used + or_zero(read_field(g->stat, g->inactive, 1)));
}

/* ---- Caches ------------------------------------------------------------------------------- */

static int64_t cache;

static void find_cache(void) {
  static const char *const sizes[] = {"/sys/devices/system/cpu/cpu0/cache/index3/size",
                                      "/sys/devices/system/cpu/cpu0/cache/index2/size"};
  int64_t bytes = -1;
  for (size_t n = 0; n < sizeof sizes / sizeof *sizes && bytes <= 0; n++)
    bytes = read_field(sizes[n], "", 1024);
  cache = bytes > 0 ? bytes : INT64_MAX;
}

int64_t lac_machine_cache(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, find_cache);
  return cache;
}
