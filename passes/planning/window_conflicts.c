/* window_conflicts.c - lines that a cache has no room for, since too many of them lie a power of
 * two of bytes apart (window_nest.h).
 *
 *     for x on lanes           W[r][s][c][o]: taps of 128 x 128 channels lie 64 KiB apart,
 *       for r, s                 nine lines in one set of eight
 */
#include "window_nest.h"

#include "density.h"
#include "extent.h"
#include "loop_cost.h"
#include "tin_ops.h"

#include <math.h>

/* In tenths of a nanosecond: to load a line, to update one of the result. */
static const struct {
  double load; /* of more pages than few, */
  double few;  /* of few, */
  double near; /* of the same page, of which the next are foreseen */
  double update;
} takes = {
    .load = 50,   /* NCHW, dense, 64 x 64 with c innermost: 24 ns for a plane and 4 registers */
    .few = 10,    /* NHWC, dense, 128 channels with r, s innermost: 6.6 ns for 4 registers */
    .near = 4,    /* NHWC, dense, 128 channels: 0.4 ns for a line */
    .update = 90, /* NCHW, 64 x 64: 7 ns for each of 16 planes, 11 for each of 32 */
};

enum { PAGE = 4 << 10 };

/* How far an array goes along a level: one that is padded ends before its subscript does. */
static double stored_extent(const statement *maps, const access *a, int l) {
  const access_level *level = &a->levels[l];
  if (level->bare >= 0)
    return estimated_extent(maps, level->bare);
  double extent = compound_extent(maps, a, l);
  bool is_padded = !mlirAttributeIsNull(a->pad) && level->level->dimension >= 0;
  double size = is_padded ? (double)tin_held_size(a->holds, a->type, level->level->dimension) : -1;
  bool ends_before = size >= 0 && size < extent;
  return ends_before ? size : extent;
}

/* How many bytes apart in a dense access the coordinates of a loop are; 0 where it has none. */
static double stride_of(const statement *s, int access_number, int loop) {
  const statement *maps = s->unmapped ? s->unmapped : s;
  const access *a = &maps->accesses[access_number];
  int variable = s->loops ? s->loops[loop].variable : loop;
  double stride = access_bytes(a);
  for (int l = a->level_count - 1; l >= 0 && variable >= 0; l--) {
    if (a->levels[l].bare == variable)
      return stride;
    stride *= stored_extent(maps, a, l);
  }
  return 0;
}

/* Whether an array has the lines that a loop comes to in the same sets, as others of them so far
 * apart. */
static bool shares_sets(const window_nest *n, int access_number, int place, double apart) {
  double stride = stride_of(n->s, access_number, n->path[place]);
  return stride > LINE && fmod(stride, apart) == 0;
}

/* How far apart the lines lie that the loops inside of one come to. */
static double range_inside(const window_nest *n, int access_number, int place) {
  const statement *s = n->s;
  double bytes = bytes_reached(s, &s->accesses[access_number], n->path, place + 1, n->length);
  for (int p = place + 1; p < n->length; p++) {
    double stride = stride_of(s, access_number, n->path[p]);
    bytes += stride > LINE ? stride * (estimated_extent(s, n->path[p]) - 1) : 0;
  }
  return bytes;
}

/* The outermost of the loops around one that have their lines in the same sets of the first cache,
 * where these are too few for them all to be there when they begin again: planes of 64 x 64 lie a
 * power of two of bytes apart.  -1 for none; loops inside that come to all that is between come to
 * all sets. */
static int first_in_conflict(const window_nest *n, int access_number, int place, double trips) {
  enum { WAYS = 8 };
  const statement *s = n->s;
  double way = (double)NEAR_CACHE / WAYS, apart = way,
         stride = stride_of(s, access_number, n->path[place]);
  if (!access_is_array(&s->accesses[access_number]) || stride <= LINE || !isfinite(stride) ||
      stride != floor(stride))
    return -1;
  while (fmod(stride, apart) != 0)
    apart /= 2;
  for (int p = place + 1; p < n->length; p++)
    if (shares_sets(n, access_number, p, apart))
      return -1;
  int first = place;
  for (; first > 0 && shares_sets(n, access_number, first - 1, apart); first--)
    trips *= estimated_extent(s, n->path[first - 1]);
  bool is_met = trips > WAYS * (way / apart) && range_inside(n, access_number, place) < apart;
  return is_met ? first : -1;
}

/* Whether a loop inside of another begins again where that goes on. */
static bool begins_again(const window_nest *n, const access *a, int place) {
  for (int p = 0; p < place; p++)
    if (!access_changes_with(a, n->path[p]))
      return true;
  return false;
}

/* What it takes to load a line that has left the first cache so. */
static double conflict_load(const window_nest *n, int access_number, int place, double trips) {
  enum { FEW_PAGES = 32 };
  double stride = stride_of(n->s, access_number, n->path[place]);
  return stride < PAGE ? takes.near : trips <= FEW_PAGES ? takes.few : takes.load;
}

double conflict_cost(const window_nest *n, int place, double trips) {
  const statement *s = n->s;
  double all = 0;
  for (int a = 0; a < s->operand_count; a++) {
    const access *operand = &s->accesses[a];
    bool on_lanes = n->lanes >= 0 && access_changes_with(operand, n->path[n->lanes]);
    int first = first_in_conflict(n, a, place, trips);
    if (first >= 0 && begins_again(n, operand, first))
      all += conflict_load(n, a, place, trips) * (on_lanes ? n->registers : 1) /
             (is_read_at_once(n, operand) ? JAMMED : 1);
  }
  if (first_in_conflict(n, s->operand_count, place, trips) >= 0)
    all += takes.update;
  return all;
}
