/* assembly.h - the ways in which a result can be built, and what each of them asks of the loops.
 *
 *     insert      entries go where they belong, as they come      y : (i : dense)
 *     append      one parent after the other, in order            A : (i : dense, j : compressed)
 *     workspace   appended, but the last level is gathered first, row after row
 *     scatter     one walk counts the children of each parent, a second one places them
 *     collect     so for each level that does not insert, in walks of its own
 *     record      noted in any order; at the end sorted, combined and appended
 *     copy        the levels of an operand are copied; values go where it has its own
 *
 * (Chou et al. 2018, section 3.3; Chou et al. 2020, section 4; Kjolstad et al. 2019; Zhang et al.
 * 2024.)  What a way asks is asked of levels.  For A : (i : dense, j : compressed, k : compressed),
 * with `r` a variable that is reduced:
 *
 *                   is before       ascends      outside of r     met once
 *     append        i j, i k, j k   i, j, k      i, j, k          i, j, k
 *     workspace     i j, i k, j k   i, j, k      i, j             i, j, k
 *     collect       -               -            -                -
 *
 * and for A : (i : dense, j : compressed)
 *
 *     append        i j             i, j         i, j             i, j
 *     scatter       -               j            i, j             j
 *     record        -               -            i, j             -
 *
 * This is the one place that says so.  Who orders variables (iteration_graph.h), checks foralls
 * (access_order.h) or decides (assembly_loops.h) puts the questions for its own kind of loops.
 */
#ifndef LACUNA_ASSEMBLY_H
#define LACUNA_ASSEMBLY_H

#include "format_assembly.h"

/* As the attribute of a cin.kernel has them; before workspaces are made also what will be appended
 * then. */
typedef enum assembly_way {
  ASSEMBLY_INSERT = CIN_INSERT,
  ASSEMBLY_APPEND = CIN_APPEND,
  ASSEMBLY_SCATTER = CIN_SCATTER,
  ASSEMBLY_COLLECT = CIN_COLLECT,
  ASSEMBLY_RECORD = CIN_RECORD,
  ASSEMBLY_COPY = CIN_COPY, /* where the statement allows it (copied_operand.h) */
  ASSEMBLY_WORKSPACE,
  ASSEMBLY_WAYS
} assembly_way;

/* One way to build a result of one format.  The levels that are not only inserted into are among
 * first .. end - 1. */
typedef struct assembly {
  assembly_way way;
  const tensor_format *format; /* as the loops see it (result_format.h) */
  int first, end;
} assembly;

/* The ways to build a result of that format, from the one that asks most to the one that asks
 * least; their number, at least 1.  `recorded`: its entries are to be recorded, which is the only
 * way then.  Of a format that can be built in no way, append: who chooses the way refuses it
 * (cin-choose-assembly). */
typedef struct assembly_list {
  int count;
  assembly ways[ASSEMBLY_WAYS];
} assembly_list;
assembly_list assembly_ways(const tensor_format *format, bool recorded);
/* The one that asks least. */
assembly assembly_least(const assembly_list *list);
/* The way that a kernel says; false where the format allows no such. */
bool assembly_as_told(const tensor_format *format, cin_assembly way, assembly *found);
/* Whether the way is among them, and what it is. */
bool assembly_find(const assembly_list *list, assembly_way way, assembly *found);

/* Whether what is reduced into level `l` goes through a workspace, a row at a time: the level is
 * appended to, and no way takes an entry several times. */
bool assembly_gathers(const assembly_list *list, int l);

/* What happens to a level that is built so: "appended to in order". */
const char *assembly_words(assembly_way way);

/* ---- what it asks of the loops ------------------------------------------------------------ */

/* Whether the coordinate of level `above` must be known before that of level `l`, below it. */
bool assembly_is_before(const assembly *a, int above, int l);
/* Whether the coordinates of level `l` must ascend, under each parent. */
bool assembly_ascends(const assembly *a, int l);
/* Whether the coordinate of level `l` must be known before anything is reduced. */
bool assembly_is_outside(const assembly *a, int l);
/* Whether a loop along which coordinates of level `l` come again, each time with other entries
 * below, must stand inside of it. */
bool assembly_is_met_once(const assembly *a, int l);
/* Whether it asks for no order at all: entries may be told by whatever their coordinates follow
 * from. */
bool assembly_is_in_any_order(const assembly *a);

/* ---- what it allows ----------------------------------------------------------------------- */

/* Whether an entry may come several times. */
bool assembly_repeats(assembly_way way);
/* Whether threads build it at once with counts of their own, of what they place then. */
bool assembly_is_in_shares(assembly_way way);
/* Whether entries are placed once they are counted, below levels that are inserted into. */
bool assembly_places(const assembly *a);
/* Whether level `l` is counted in a walk of its own, and then placed. */
bool assembly_counts(const assembly *a, int l);
/* Whether level `l` takes its coordinate whenever it comes, be it inserted or placed. */
bool assembly_takes(const assembly *a, int l);

/* Whether entries of one coordinate may come one right after the other, each with another entry
 * below, in a walk that goes on to another coordinate of level `last` (-1: none of the result's)
 * each time; `l` is the level of the one that is repeated, -1 as well where it is reduced. */
bool assembly_comes_again(const assembly *a, int l, int last);

/* Whether a level keeps each entry that is appended to it: in any order, and repeated; and whether
 * all levels are one list of such. */
bool assembly_keeps_all(const tensor_format *format, int l);
bool assembly_lists(const tensor_format *format);

/* Whether the entries of a tensor stored as `from`, in order in all of its levels, make a result of
 * the format `to` as they come, without being sorted; levels of both hold plain dimensions. */
bool assembly_copies(const tensor_format *from, const tensor_format *to);

#endif
