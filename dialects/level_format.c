/* level_format.c - the registry of level formats: a list in the order of registration. */
#include "level_format.h"

#include <dlfcn.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const level_format **formats;
static int format_count, format_room;
static char problem_text[512];

static int place_of(MlirStringRef name) {
  int i = 0;
  while (i < format_count &&
         !mlirStringRefEqual(mlirStringRefCreateFromCString(formats[i]->name), name))
    i++;
  return i;
}

/* A capability that the table has without all of its functions, or NULL. */
static const char *lacking(const level_format *f) {
  bool is_branchless = f->properties & LEVEL_BRANCHLESS;
  const struct {
    unsigned capability;
    bool there;
    const char *functions;
  } needs[] = {
      {LEVEL_COORDINATE_ITERATION, f->coord_iter && f->coord_access, "coord_iter, coord_access"},
      {LEVEL_POSITION_ITERATION, f->pos_iter && f->pos_access, "pos_iter, pos_access"},
      {LEVEL_LOCATE, f->locate, "locate"},
      {LEVEL_INSERT, f->insert_size && f->insert_init && f->insert_coord,
       "insert_size, insert_init, insert_coord"},
      {LEVEL_APPEND,
       f->append_init && f->append_reserve && f->append_coord && f->append_edges &&
           f->append_finalize,
       "append_init, append_reserve, append_coord, append_edges, append_finalize"},
      {LEVEL_SCATTER,
       (f->capabilities & LEVEL_APPEND) && f->scatter_edges && f->scatter_coord &&
           f->scatter_finalize && (is_branchless || (f->scatter_init && f->scatter_count)),
       "append, scatter_init, scatter_count, scatter_edges, scatter_coord, scatter_finalize"},
      {LEVEL_COLLECT, f->collect_init && f->collect_count && f->collect_edges && f->collect_coord,
       "collect_init, collect_count, collect_edges, collect_coord"},
      {LEVEL_WORKSPACE, f->sort && f->clear && f->release, "sort, clear, release"},
  };
  for (size_t i = 0; i < sizeof needs / sizeof *needs; i++)
    if (f->capabilities & needs[i].capability && !needs[i].there)
      return needs[i].functions;
  if (f->scatter_share && !f->join_init)
    return "join_init, join";
  return !f->join == !f->join_init ? NULL : "join_init, join";
}

static bool is_name(const char *name) {
  return name && *name && name[strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789_")] == '\0';
}

static bool leave_out(const char *name, const char *expected, const char *found) {
  snprintf(problem_text, sizeof problem_text, "level format '%s': expected %s, found %s", name,
           expected, found);
  return false;
}

/* The file that holds an address: of a plug-in, or of the compiler. */
static const char *file_of(const void *address) {
  Dl_info found;
  return dladdr(address, &found) && *found.dli_fname ? found.dli_fname : "this program";
}

/* A name means one level format in all of a process: neither a plug-in takes one that is built in,
 * nor one of another plug-in. */
static bool is_free_name(const level_format *format) {
  int i = place_of(mlirStringRefCreateFromCString(format->name));
  if (i == format_count)
    return true;
  snprintf(problem_text, sizeof problem_text,
           "level format '%s' of %s: expected a name of its own, found one that '%s' of %s has",
           format->name, file_of(format), formats[i]->name, file_of(formats[i]));
  return false;
}

static bool is_of_this_version(const level_format *format, unsigned version, size_t size) {
  if (version == LEVEL_FORMAT_VERSION && size == sizeof *format)
    return true;
  snprintf(problem_text, sizeof problem_text,
           "level format '%s' of %s: expected a table of version %d (%zu bytes), found version %u "
           "(%zu bytes): compile it against this compiler's level_format.h",
           format->name, file_of(format), LEVEL_FORMAT_VERSION, sizeof *format, version, size);
  return false;
}

static bool is_sound(const level_format *format) {
  if (!is_name(format->name))
    return leave_out(format->name ? format->name : "",
                     "a name of small letters, digits and underscores", "another one");
  if (format->arguments < 1)
    for (int slot = 0; slot < LEVEL_ARRAY_COUNT; slot++)
      if (format->arrays[slot] == LEVEL_ARGUMENT_WIDE)
        return leave_out(format->name, "an argument for the width of an array", "no arguments");
  int each = 0;
  for (int slot = 0; slot < LEVEL_ARRAY_COUNT; slot++)
    each += format->arrays[slot] == LEVEL_EACH_COORDINATE;
  if (each > 1)
    return leave_out(format->name, "one array of each coordinate", "several");
  if ((format->lends || format->borrows) && format->arguments < 1)
    return leave_out(format->name, "an argument for the levels that lend or borrow", "none");
  if (format->cursors < 0 || format->cursors > 2)
    return leave_out(format->name, "0 to 2 cursors", "another number");
  if (format->options && (format->arguments || !(format->capabilities & LEVEL_WORKSPACE)))
    return leave_out(format->name, "a policy of workspaces without arguments, where it has options",
                     "another level format");
  if (level_format_option_count(format) > LEVEL_MOST_OPTIONS)
    return leave_out(format->name, "8 options at most", "more");
  const char *functions = lacking(format);
  if (functions)
    return leave_out(format->name, functions, "a table without one of them");
  return is_free_name(format);
}

/* Tables stay as long as the process does. */
static bool has_room(const level_format *format) {
  if (format_count < format_room)
    return true;
  int room = 2 * format_room + 32;
  const level_format **larger = realloc(formats, (size_t)room * sizeof *larger);
  if (!larger)
    return leave_out(format->name, "memory for one more level format", "none");
  formats = larger;
  format_room = room;
  return true;
}

void level_format_register_table(const level_format *format, unsigned version, size_t size) {
  if (is_of_this_version(format, version, size) && is_sound(format) && has_room(format))
    formats[format_count++] = format;
}

const char *level_format_problem(void) {
  return *problem_text ? problem_text : NULL;
}

//--- Libraries -----------------------------------------------------------------------------------

/* A file beside its user is found without a path, as one on the loader's path is. */
static void *open_library(const char *library) {
  char here[4096];
  bool is_file = !strchr(library, '/') && access(library, R_OK) == 0 &&
                 snprintf(here, sizeof here, "./%s", library) < (int)sizeof here;
  return dlopen(is_file ? here : library, RTLD_NOW | RTLD_LOCAL);
}

static bool has_a_format(void *library) {
  struct link_map *map;
  Dl_info found;
  if (dlinfo(library, RTLD_DI_LINKMAP, &map))
    return false;
  for (int i = 0; i < format_count; i++)
    if (dladdr(formats[i], &found) && found.dli_fbase == (void *)map->l_addr)
      return true;
  return false;
}

bool level_format_load(const char *library, const char **problem) {
  int before = format_count;
  *problem_text = '\0';
  void *loaded = open_library(library);
  if (!loaded) {
    *problem = dlerror();
    return false;
  }
  if (!level_format_problem() && has_a_format(loaded))
    return true;
  *problem = level_format_problem() ? level_format_problem() : "it registers no level format";
  format_count = before;
  dlclose(loaded);
  return false;
}

int level_format_coordinates(const level_format *format) {
  for (int slot = 0; slot < LEVEL_ARRAY_COUNT; slot++)
    if (format->arrays[slot] == LEVEL_EACH_COORDINATE)
      return slot;
  return -1;
}

const level_format *level_format_find(MlirStringRef name) {
  int i = place_of(name);
  return i < format_count ? formats[i] : NULL;
}

int level_format_count(void) {
  return format_count;
}

const level_format *level_format_at(int i) {
  return i >= 0 && i < format_count ? formats[i] : NULL;
}

const char *level_format_policy(const level_format *format) {
  return format->policy ? format->policy : format->name;
}

int level_format_option_count(const level_format *format) {
  int count = 0;
  while (format->options && format->options[count].name)
    count++;
  return count;
}

const level_format *level_format_workspace(const char *policy) {
  for (int i = 0; i < format_count; i++)
    if (formats[i]->capabilities & LEVEL_WORKSPACE &&
        !strcmp(level_format_policy(formats[i]), policy))
      return formats[i];
  return NULL;
}

const level_format *level_format_shares_key(void) {
  for (int i = 0; i < level_format_count(); ++i)
    if (level_format_at(i)->shares_key)
      return level_format_at(i);
  return NULL;
}

const level_format *level_format_usual_workspace(bool grows) {
  for (int i = 0; i < format_count; i++)
    if (formats[i]->capabilities & LEVEL_WORKSPACE && formats[i]->usual &&
        formats[i]->grows == grows)
      return formats[i];
  return NULL;
}

static bool lists_coordinates(const level_format *format, bool first) {
  const unsigned needed = LEVEL_POSITION_ITERATION | LEVEL_APPEND;
  if (!(format->properties & LEVEL_COMPACT) || format->arguments)
    return false;
  bool is_branchless = format->properties & LEVEL_BRANCHLESS;
  return (format->capabilities & needed) == needed && is_branchless != first &&
         (format->configurable & LEVEL_UNIQUE);
}

const level_format *level_format_coordinate_list(bool first) {
  for (int i = 0; i < format_count; i++)
    if (lists_coordinates(formats[i], first))
      return formats[i];
  return NULL;
}
