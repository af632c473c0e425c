/* assembly.c - the table of the ways to build a result (assembly.h). */
#include "assembly.h"

static bool inserts(const tensor_format *format, int l) {
  return format->levels[l].format->capabilities & LEVEL_INSERT;
}

static bool is_ordered(const assembly *a, int l) {
  return a->format->levels[l].properties & LEVEL_ORDERED;
}

static bool is_branchless(const assembly *a, int l) {
  return a->format->levels[l].properties & LEVEL_BRANCHLESS;
}

static bool never(const assembly *a, int l) {
  (void)a, (void)l;
  return false;
}

static bool never_before(const assembly *a, int above, int l) {
  (void)a, (void)above, (void)l;
  return false;
}

static bool always_again(const assembly *a, int l, int last) {
  (void)a, (void)l, (void)last;
  return true;
}

static bool lies_within(const assembly *a, int l) {
  return l < a->end;
}

/* ---- append: levels up to the last that does not insert ------------------------------------ */

bool assembly_keeps_all(const tensor_format *format, int l) {
  return (format->levels[l].format->capabilities & LEVEL_APPEND) && !inserts(format, l) &&
         !(format->levels[l].properties & (LEVEL_ORDERED | LEVEL_UNIQUE));
}

/* Whether the levels before `end` are one list: what is appended to one is to all. */
static bool is_list(const tensor_format *format, int end) {
  for (int l = 0; l < end; ++l) {
    bool branchless = format->levels[l].properties & LEVEL_BRANCHLESS;
    if (inserts(format, l) || branchless != (l > 0))
      return false;
  }
  return end > 0;
}

bool assembly_lists(const tensor_format *format) {
  for (int l = 0; l < format->level_count; ++l)
    if (!assembly_keeps_all(format, l))
      return false;
  return is_list(format, format->level_count);
}

/* What stands under one parent follows what stands under the one before. */
static bool is_before_appended(const assembly *a, int above, int l) {
  (void)l;
  return above < a->end && !assembly_lists(a->format);
}

static bool appended_ascends(const assembly *a, int l) {
  return l < a->end && (inserts(a->format, l) || is_ordered(a, l));
}

/* What goes on in the levels of a list comes along with it. */
static bool appended_is_met_once(const assembly *a, int l) {
  bool is_parent = l + 1 < a->end &&
                   (inserts(a->format, l) || inserts(a->format, l + 1) || !is_branchless(a, l + 1));
  return l < a->end && (is_parent || is_ordered(a, l));
}

/* Entry by entry in a list, if the last of its levels tells them apart. */
static bool appended_again(const assembly *a, int l, int last) {
  (void)last;
  return is_list(a->format, a->end) && l != a->end - 1;
}

/* ---- workspace: the last level, above the values, is gathered ------------------------------ */

static bool gathered_is_outside(const assembly *a, int l) {
  bool is_gathered = l + 1 == a->end && a->end == a->format->level_count;
  return l < a->end && !is_gathered;
}

/* ---- scatter: levels that are placed, below levels that insert and above others ------------- */

static bool placed_is_ordered(const assembly *a, int l) {
  return l >= a->first && l < a->end && is_ordered(a, l);
}

static bool is_before_placed(const assembly *a, int above, int l) {
  return l >= a->end ? above < a->end : placed_is_ordered(a, above);
}

/* Each entry is placed, if the walk tells them apart by a level that is. */
static bool scattered_again(const assembly *a, int l, int last) {
  return last >= 0 && last < a->end && l != last;
}

/* ---- the table ----------------------------------------------------------------------------- */

typedef struct assembly_rule {
  const char *words;
  bool (*is_before)(const assembly *a, int above, int l);
  bool (*ascends)(const assembly *a, int l);
  bool (*is_outside)(const assembly *a, int l);
  bool (*is_met_once)(const assembly *a, int l);
  bool (*comes_again)(const assembly *a, int l, int last);
  bool repeats, in_shares;
} assembly_rule;

static const assembly_rule rules[] = {
    [ASSEMBLY_INSERT] = {"inserted into", never_before, never, never, never, always_again, true,
                         false},
    [ASSEMBLY_APPEND] = {"appended to in order", is_before_appended, appended_ascends, lies_within,
                         appended_is_met_once, appended_again, false, false},
    [ASSEMBLY_WORKSPACE] = {"appended to in order", is_before_appended, appended_ascends,
                            gathered_is_outside, appended_is_met_once, appended_again, false,
                            false},
    [ASSEMBLY_SCATTER] = {"scattered into", is_before_placed, placed_is_ordered, lies_within,
                          placed_is_ordered, scattered_again, false, true},
    [ASSEMBLY_COLLECT] = {"collected", never_before, never, never, never, always_again, true, true},
    [ASSEMBLY_RECORD] = {"recorded", is_before_placed, placed_is_ordered, lies_within,
                         placed_is_ordered, always_again, true, true},
    [ASSEMBLY_COPY] = {"copied from an operand", never_before, never, never, never, always_again,
                       true, false},
};

const char *assembly_words(assembly_way way) {
  return rules[way].words;
}

bool assembly_is_before(const assembly *a, int above, int l) {
  return rules[a->way].is_before(a, above, l);
}

bool assembly_ascends(const assembly *a, int l) {
  return rules[a->way].ascends(a, l);
}

bool assembly_is_outside(const assembly *a, int l) {
  return rules[a->way].is_outside(a, l);
}

bool assembly_is_met_once(const assembly *a, int l) {
  return rules[a->way].is_met_once(a, l);
}

bool assembly_comes_again(const assembly *a, int l, int last) {
  return rules[a->way].comes_again(a, l, last);
}

bool assembly_is_in_any_order(const assembly *a) {
  for (int l = 0; l < a->end; ++l) {
    if (assembly_ascends(a, l))
      return false;
    for (int above = 0; above < l; ++above)
      if (assembly_is_before(a, above, l))
        return false;
  }
  return true;
}

bool assembly_repeats(assembly_way way) {
  return rules[way].repeats;
}

bool assembly_is_in_shares(assembly_way way) {
  return rules[way].in_shares;
}

bool assembly_places(const assembly *a) {
  return a->way == ASSEMBLY_SCATTER || a->way == ASSEMBLY_RECORD;
}

bool assembly_counts(const assembly *a, int l) {
  if (a->way == ASSEMBLY_COLLECT)
    return tensor_format_collects_level(a->format, l);
  return assembly_places(a) && l == a->first;
}

bool assembly_takes(const assembly *a, int l) {
  return a->way == ASSEMBLY_COLLECT || a->way == ASSEMBLY_COPY || inserts(a->format, l);
}

/* ---- which of them a format allows ---------------------------------------------------------- */

static int end_of_appended(const tensor_format *format) {
  int end = format->level_count;
  while (end > 0 && inserts(format, end - 1))
    end--;
  return end;
}

static void add_way(assembly_list *list, assembly_way way, const tensor_format *format) {
  assembly a = {way, format, 0, format->level_count};
  if (way == ASSEMBLY_APPEND || way == ASSEMBLY_WORKSPACE)
    a.end = end_of_appended(format);
  if (way == ASSEMBLY_SCATTER) {
    a.first = tensor_format_scatter_level(format);
    a.end = tensor_format_scatter_end(format);
  }
  if (way == ASSEMBLY_RECORD)
    a.first = tensor_format_record_level(format);
  list->ways[list->count++] = a;
}

assembly_list assembly_ways(const tensor_format *format, bool recorded) {
  static const assembly_way ways[] = {ASSEMBLY_INSERT, ASSEMBLY_APPEND, ASSEMBLY_SCATTER,
                                      ASSEMBLY_COLLECT};
  assembly_list list = {0};
  if (recorded)
    add_way(&list, ASSEMBLY_RECORD, format);
  for (int n = 0; !recorded && n < 4; ++n) {
    if (!tensor_format_builds_by(format, (cin_assembly)ways[n]))
      continue;
    add_way(&list, ways[n], format);
    if (ways[n] == ASSEMBLY_APPEND)
      add_way(&list, ASSEMBLY_WORKSPACE, format);
  }
  if (!list.count) {
    add_way(&list, ASSEMBLY_APPEND, format);
    add_way(&list, ASSEMBLY_WORKSPACE, format);
  }
  return list;
}

assembly assembly_least(const assembly_list *list) {
  return list->ways[list->count - 1];
}

bool assembly_find(const assembly_list *list, assembly_way way, assembly *found) {
  for (int i = 0; i < list->count; ++i)
    if (list->ways[i].way == way) {
      *found = list->ways[i];
      return true;
    }
  return false;
}

bool assembly_as_told(const tensor_format *format, cin_assembly way, assembly *found) {
  if (way != CIN_COPY) {
    assembly_list list = assembly_ways(format, way == CIN_RECORD);
    return assembly_find(&list, (assembly_way)way, found);
  }
  *found = (assembly){ASSEMBLY_COPY, format, 0, tensor_format_copied_levels(format)};
  return tensor_format_builds_by(format, way);
}

bool assembly_gathers(const assembly_list *list, int l) {
  assembly append, workspace;
  return assembly_find(list, ASSEMBLY_APPEND, &append) &&
         assembly_find(list, ASSEMBLY_WORKSPACE, &workspace) && assembly_is_outside(&append, l) &&
         !assembly_is_outside(&workspace, l) && !assembly_repeats(assembly_least(list).way);
}

/* ---- copies --------------------------------------------------------------------------------- */

static bool all_ordered(const tensor_format *format) {
  for (int l = 0; l < format->level_count; ++l)
    if (!(format->levels[l].properties & LEVEL_ORDERED))
      return false;
  return true;
}

/* Whether loops over the levels of `from` go as the way asks. */
static bool follows(const assembly *a, const tensor_format *from) {
  for (int l = 0; l < a->format->level_count; ++l) {
    int at = from->level_of[a->format->levels[l].dimension];
    for (int above = 0; above < l; ++above)
      if (assembly_is_before(a, above, l) &&
          from->level_of[a->format->levels[above].dimension] > at)
        return false;
  }
  return true;
}

bool assembly_copies(const tensor_format *from, const tensor_format *to) {
  if (!tensor_format_is_plain(from) || !tensor_format_is_plain(to) || !all_ordered(from))
    return false;
  assembly_list ways = assembly_ways(to, false);
  for (int n = 0; n < ways.count; ++n)
    if (follows(&ways.ways[n], from))
      return true;
  return false;
}
