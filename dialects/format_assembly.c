/* format_assembly.c - which ways to build a result its format allows (format_assembly.h). */
#include "format_assembly.h"

/*--- Scattering ---------------------------------------------------------------------------------*/

static bool can(const tensor_format *format, int k, unsigned capability) {
  return k < format->level_count && (format->levels[k].format->capabilities & capability);
}

static bool is_branchless(const tensor_format *format, int k) {
  return k < format->level_count && (format->levels[k].properties & LEVEL_BRANCHLESS);
}

static int count_inserted(const tensor_format *format, int k) {
  int end = k;
  while (can(format, end, LEVEL_INSERT))
    end++;
  return end - k;
}

/* The end of the branchless levels that are scattered along with level `k`. */
static int end_of_scattered(const tensor_format *format, int k) {
  int end = k + 1;
  while (can(format, end, LEVEL_SCATTER) && is_branchless(format, end))
    end++;
  return end;
}

int tensor_format_scatter_level(const tensor_format *format) {
  int level = count_inserted(format, 0);
  if (!can(format, level, LEVEL_SCATTER) || is_branchless(format, level))
    return -1;
  int end = end_of_scattered(format, level);
  return end + count_inserted(format, end) == format->level_count ? level : -1;
}

int tensor_format_scatter_end(const tensor_format *format) {
  int level = tensor_format_scatter_level(format);
  return level < 0 ? -1 : end_of_scattered(format, level);
}

/*--- Collecting ---------------------------------------------------------------------------------*/

static bool inserts(const tensor_format *format, int k) {
  return can(format, k, LEVEL_INSERT);
}

static bool insert_without_arrays(const tensor_format *format, int begin, int end) {
  for (int k = begin; k < end; k++)
    if (!inserts(format, k) || level_format_has_arrays(format->levels[k].format))
      return false;
  return true;
}

enum { ATOMIC_BITS = 32 };

bool tensor_format_scatters_at_once(const tensor_format *format) {
  int level = tensor_format_scatter_level(format);
  return level >= 0 && level + 1 == format->level_count && format->position_width >= ATOMIC_BITS &&
         insert_without_arrays(format, 0, level) && format->levels[level].format->scatter_sum;
}

/* Whether level k has one more coordinate of the entries that are appended to the level above. */
static bool continues_list(const tensor_format *format, int k) {
  return is_branchless(format, k) && can(format, k, LEVEL_APPEND) && !inserts(format, k);
}

static bool holds_counter(const tensor_format *format, int k) {
  return k < format->level_count && remap_counted(format->levels[k].expression) >= 0;
}

/* Whether the level counts and places its entries itself: not where they go on below in a list, nor
 * the numbers of a counter, of which it is not known how many there may be, if it can append. */
static bool counts_itself(const tensor_format *format, int k) {
  if (can(format, k, LEVEL_APPEND) &&
      (continues_list(format, k) || continues_list(format, k + 1) || holds_counter(format, k)))
    return false;
  return !inserts(format, k) && can(format, k, LEVEL_COLLECT);
}

bool tensor_format_notes_level(const tensor_format *format, int k) {
  return can(format, k, LEVEL_APPEND) && !inserts(format, k) && !counts_itself(format, k);
}

bool tensor_format_collects_level(const tensor_format *format, int k) {
  return counts_itself(format, k) || tensor_format_notes_level(format, k);
}

int tensor_format_noted_end(const tensor_format *format, int k) {
  do
    k++;
  while (continues_list(format, k));
  return k;
}

/* An entry that is in a list has a place of its own in the level above. */
static bool is_collectable(const tensor_format *format, int k) {
  if (continues_list(format, k))
    return k > 0 && tensor_format_notes_level(format, k - 1) &&
           !(format->levels[k - 1].properties & LEVEL_UNIQUE);
  return inserts(format, k) || tensor_format_collects_level(format, k);
}

static bool all_collectable(const tensor_format *format) {
  for (int k = 0; k < format->level_count; k++)
    if (!is_collectable(format, k))
      return false;
  return true;
}

/* Whether the level can be built in no other way: it neither inserts nor appends, or has arrays
 * that would have to grow with a level above. */
static bool only_collects(const tensor_format *format, int k) {
  const level_format *level = format->levels[k].format;
  if (!inserts(format, k))
    return !can(format, k, LEVEL_APPEND);
  bool grows = false;
  for (int above = 0; above < k; above++)
    grows |= !inserts(format, above);
  return grows && level_format_has_arrays(level) && !level->insert_reserve;
}

/* Whether there is no other way than to collect: a level can neither insert nor append, or inserts
 * into arrays that cannot grow with an appended level above. */
static bool must_collect(const tensor_format *format) {
  for (int k = 0; k < format->level_count; k++)
    if (only_collects(format, k))
      return all_collectable(format);
  return false;
}

/* Whether levels hold expressions, and each that does not insert counts its entries itself, or
 * entries are numbered. */
static bool is_better_collected(const tensor_format *format) {
  bool notes = false, counts = false, remaps = false, numbers = false;
  for (int k = 0; k < format->level_count; k++) {
    notes |= tensor_format_notes_level(format, k);
    counts |= counts_itself(format, k);
    remaps |= format->levels[k].dimension < 0;
    numbers |= holds_counter(format, k);
  }
  return (counts && remaps && !notes) || ((counts || notes) && numbers);
}

static bool can_collect(const tensor_format *format) {
  return must_collect(format) || (is_better_collected(format) && all_collectable(format));
}

/*--- Recording ----------------------------------------------------------------------------------*/

/* What is full wants every coordinate, not those alone that are recorded. */
static bool is_recordable(const tensor_format *format, int k) {
  return can(format, k, LEVEL_APPEND) && !inserts(format, k) && !holds_counter(format, k) &&
         !(format->levels[k].properties & LEVEL_FULL);
}

int tensor_format_record_level(const tensor_format *format) {
  int first = count_inserted(format, 0);
  if (first == format->level_count || is_branchless(format, first))
    return -1;
  for (int l = first; l < format->level_count; l++)
    if (!is_recordable(format, l))
      return -1;
  return first;
}

bool tensor_format_records_siblings(const tensor_format *format) {
  int level = tensor_format_record_level(format);
  return level >= 0 && level == tensor_format_scatter_level(format) &&
         tensor_format_scatter_end(format) == format->level_count &&
         (level > 0 || format->level_count == 1);
}

const tensor_format *tensor_format_disordered(arena *memory, const tensor_format *format) {
  tensor_format *disordered = ARENA_ARRAY(memory, tensor_format, 1);
  int level = tensor_format_record_level(format);
  *disordered = *format;
  disordered->levels = ARENA_ARRAY(memory, format_level, format->level_count);
  for (int l = 0; l < format->level_count; l++)
    disordered->levels[l] = format->levels[l];
  for (int l = level; l < format->level_count; l++)
    disordered->levels[l].properties &= ~(unsigned)(LEVEL_ORDERED | LEVEL_UNIQUE);
  for (int l = level + 1; l < format->level_count; l++)
    disordered->levels[l].properties |= LEVEL_BRANCHLESS;
  return disordered;
}

/*--- Joining ------------------------------------------------------------------------------------*/

/* Position i of a level, below each parent, is that of coordinate i, so that a range of coordinates
 * of a first level is one of positions. */
static bool is_counted_through(const tensor_format *format, int k) {
  enum { WANTED = LEVEL_FULL | LEVEL_ORDERED | LEVEL_UNIQUE | LEVEL_COMPACT };
  const format_level *level = &format->levels[k];
  return (level->properties & WANTED) == WANTED && !(level->properties & LEVEL_BRANCHLESS) &&
         inserts(format, k) && !level_format_has_arrays(level->format);
}

/* A first level may go on from one piece to the next. */
static bool goes_on(const tensor_format *format, int k) {
  return k == 0 && format->levels[k].format->counts;
}

static bool is_joined(const tensor_format *format, int k) {
  const level_format *level = format->levels[k].format;
  if (!inserts(format, k))
    return level->join && !goes_on(format, k);
  return k > 0 ? level->join || !level_format_has_arrays(level) : is_counted_through(format, 0);
}

int tensor_format_unjoined_level(const tensor_format *format) {
  for (int k = 0; k < format->level_count; k++)
    if (!is_joined(format, k) || holds_counter(format, k))
      return k;
  return -1;
}

int tensor_format_uncounted_level(const tensor_format *format) {
  for (int k = 0; k < format->level_count; k++) {
    const level_format *level = format->levels[k].format;
    bool appends = can(format, k, LEVEL_APPEND);
    bool follows = inserts(format, k) && !level_format_has_arrays(level);
    if (level->counts || holds_counter(format, k) || (!appends && !follows))
      return k;
  }
  return -1;
}

/* What is put behind the others in a list of its own needs no parents to be told apart.  Levels
 * above are the result's own: pieces have nothing in arrays of these. */
bool tensor_format_is_joined_from(const tensor_format *format, int first) {
  for (int k = 0; k < first; k++)
    if (level_format_has_arrays(format->levels[k].format))
      return false;
  for (int k = first; k < format->level_count; k++) {
    const level_format *level = format->levels[k].format;
    bool follows = !level_format_has_arrays(level) && inserts(format, k) && k > 0;
    if (goes_on(format, k) || (!level->join && !follows))
      return false;
  }
  return first > 0 || format->levels[0].format->append_edges;
}

/*--- Counting on threads ------------------------------------------------------------------------*/

/* The one level that is counted; -1 where there are others, or none. */
static int only_collected(const tensor_format *format) {
  int level = -1;
  for (int k = 0; k < format->level_count; k++) {
    if (level >= 0 && !inserts(format, k))
      return -1;
    if (level < 0 && tensor_format_collects_level(format, k))
      level = k;
  }
  return level;
}

int tensor_format_collected_level(const tensor_format *format) {
  for (int k = 0; k < format->level_count; k++)
    if (holds_counter(format, k))
      return -1;
  return only_collected(format);
}

/* The first level that is counted; -1 where there are no counts, or not for one level. */
static int counted_level(const tensor_format *format, cin_assembly way) {
  switch (way) {
  case CIN_SCATTER:
    return tensor_format_scatter_level(format);
  case CIN_COLLECT:
    return tensor_format_collected_level(format);
  case CIN_RECORD:
    return tensor_format_record_level(format);
  default:
    return -1;
  }
}

/* Whether each position of the levels before `end` tells the coordinates of all of them. */
static bool are_counted_through(const tensor_format *format, int end) {
  for (int k = 0; k < end; k++)
    if (!is_counted_through(format, k))
      return false;
  return true;
}

/* How threads may share the one level that is collected, where those above have no arrays. */
static level_sharing collects_shared(const tensor_format *format, int *level) {
  *level = only_collected(format);
  return *level >= 0 && counts_itself(format, *level) && insert_without_arrays(format, 0, *level)
             ? format->levels[*level].format->shared
             : LEVEL_ALONE;
}

bool tensor_format_collects_apart(const tensor_format *format) {
  int level;
  level_sharing shared = collects_shared(format, &level);
  return level > 0 && (shared == LEVEL_SHARED_APART || shared == LEVEL_SHARED);
}

bool tensor_format_collects_together(const tensor_format *format) {
  int level;
  level_sharing shared = collects_shared(format, &level);
  return shared == LEVEL_SHARED || (level == 0 && shared == LEVEL_SHARED_FIRST);
}

bool tensor_format_builds_in_shares(const tensor_format *format, cin_assembly way) {
  int level = counted_level(format, way);
  if (level < 0 || !insert_without_arrays(format, 0, level))
    return false;
  if (way == CIN_COLLECT)
    return are_counted_through(format, level);
  return way != CIN_SCATTER ||
         (format->levels[level].format->scatter_share &&
          insert_without_arrays(format, tensor_format_scatter_end(format), format->level_count));
}

/*--- Copying ------------------------------------------------------------------------------------*/

int tensor_format_copied_levels(const tensor_format *format) {
  int count = format->level_count;
  while (count > 0 && insert_without_arrays(format, count - 1, count))
    count--;
  return count;
}

/*--- Ways to build a result ---------------------------------------------------------------------*/

/* A level that nothing can be put in as entries come; -1 for none. */
static int closed_level(const tensor_format *format) {
  for (int k = 0; k < format->level_count; k++)
    if (!can(format, k, LEVEL_INSERT | LEVEL_APPEND))
      return k;
  return -1;
}

/* A level with one coordinate under each parent has as many as were appended to the level above;
 * one for which that is not so, -1 for none. */
static int misplaced_level(const tensor_format *format) {
  for (int k = 0; k < format->level_count; k++) {
    bool follows = is_branchless(format, k) && !inserts(format, k);
    if (follows &&
        (k == 0 || (!inserts(format, k - 1) && (format->levels[k - 1].properties & LEVEL_UNIQUE))))
      return k;
  }
  return -1;
}

static bool can_append(const tensor_format *format) {
  return count_inserted(format, 0) < format->level_count && !must_collect(format) &&
         closed_level(format) < 0 && misplaced_level(format) < 0;
}

static bool can_scatter(const tensor_format *format) {
  return tensor_format_scatter_level(format) >= 0 && !must_collect(format) &&
         misplaced_level(format) < 0;
}

static bool can_record(const tensor_format *format) {
  return tensor_format_record_level(format) >= 0 && misplaced_level(format) < 0;
}

bool tensor_format_builds_by(const tensor_format *format, cin_assembly way) {
  switch (way) {
  case CIN_INSERT:
    return count_inserted(format, 0) == format->level_count;
  case CIN_APPEND:
    return can_append(format);
  case CIN_SCATTER:
    return can_scatter(format);
  case CIN_COLLECT:
    return can_collect(format);
  case CIN_RECORD:
    return can_record(format);
  case CIN_COPY:
    return tensor_format_copied_levels(format) > 0;
  }
  return false;
}

static char *misplaced_words(arena *memory, const tensor_format *format, int k, const char *name) {
  const char *kind = format->levels[k].format->name;
  if (k == 0)
    return arena_format(memory,
                        "expected a first level of %s that holds any number of coordinates, found "
                        "level 0 (%s, one coordinate under each)",
                        name, kind);
  return arena_format(memory,
                      "expected level %d (%s, one coordinate under each) of %s under a nonunique "
                      "level that is appended to, found it under level %d (%s)",
                      k, kind, name, k - 1, format->levels[k - 1].format->name);
}

char *tensor_format_unbuilt(arena *memory, const tensor_format *format, const char *name) {
  for (cin_assembly way = CIN_INSERT; way <= CIN_RECORD; way++)
    if (tensor_format_builds_by(format, way))
      return NULL;
  int misplaced = misplaced_level(format), closed = closed_level(format);
  if (misplaced >= 0)
    return misplaced_words(memory, format, misplaced, name);
  return arena_format(memory,
                      "expected levels of %s that can insert or append, found level %d (%s)", name,
                      closed, format->levels[closed].format->name);
}
