/* schedule_precompute.h - the command precompute while it is applied, for its own files. */
#ifndef LACUNA_SCHEDULE_PRECOMPUTE_H
#define LACUNA_SCHEDULE_PRECOMPUTE_H

#include "schedule.h"
#include "schedule_value.h"

/* Where a forall around the assignment belongs: see schedule_precompute.c. */
typedef enum place { OUTSIDE, LISTED, SUMMED, CONSUMED } place;

typedef struct precompute {
  const scheduler *s;
  schedule_value value;
  op_list path;           /* the foralls around the assignment */
  int first;              /* the first of them in which it reduces */
  int top;                /* the one that the cin.where stands around; all of them: none */
  place *places;          /* of the foralls of the path */
  MlirValue *produced;    /* what they go over in the producer */
  value_map renamed;      /* what stands for variables in the producer */
  int count;              /* dimensions of the workspace */
  bool has_parts;         /* some are parts of variables, whose wholes are not known */
  bool has_windows;       /* some are windows of compound subscripts */
  MlirOperation *windows; /* for each of the list: the cin.window that it is; null */
  MlirValue *dimensions, *produced_dimensions;
  op_list entries; /* copies of the reads whose entries positions of the list number */
} precompute;

/* schedule_precompute.c: false, after why at the kernel; the name of a variable; that of a forall
 * of the path; the place of a variable in the command's list, or -1; whether the producer goes over
 * a new one instead of number n; whether a variable or tensor has the name. */
bool precompute_refuse(const precompute *p, const char *why);
const char *precompute_name(const precompute *p, MlirValue variable);
MlirValue precompute_variable(const precompute *p, int n);
int precompute_listed(const precompute *p, MlirValue variable);
int precompute_named(const precompute *p, MlirValue variable); /* by its own name */
bool precompute_renames(const schedule_command *c, int n);
bool precompute_name_is_taken(MlirOperation kernel, const char *name);
/* Whether the reduction of the assignment adds nothing where it begins again. */
bool precompute_reduces_neutrally(const precompute *p);

/* Whether an access is of a variable: subscripted by something that it tells of, or of a workspace
 * that is produced around it from something that is. */
bool precompute_access_is_of(const precompute *p, MlirOperation access, MlirValue variable);

/* schedule_sums.c: whether the workspace that is read is produced from something that is of the
 * variable; which forall of the path, further out than `top` where the value is not of those
 * between, the cin.where may stand around; what is produced inside of that and in the value, as the
 * last thing in a block of the producer: the block for what reads it; and where nobody reads it any
 * more around the assignment, none. */
bool precompute_sum_is_of(const precompute *p, MlirOperation read, MlirValue variable);
int precompute_outermost(const precompute *p);
MlirBlock precompute_produce_sums(precompute *p, MlirBlock block);
void precompute_dissolve_sums(const precompute *p);

/* schedule_numbered.c: the operation that numbers the points that a variable, or a part of one,
 * goes through: cin.pos or cin.collapse; null.  Whether that is so of a variable of the list as
 * well.  Whether a workspace can be over number n of the list, which is one; false, after why
 * not. */
MlirOperation precompute_numbering(MlirValue variable);
bool precompute_numbers_beside(const precompute *p, MlirValue variable);
bool precompute_check_numbered(const precompute *p, int n);
/* What the workspace has entries with, and gives them back; whether it can have entries there
 * alone, false after why not.  Where the builder of the value stands: the value where there are
 * entries, else the other one; what a workspace holds where nothing is produced; the value where
 * there are no entries.  And this one, in a choice that was made so, as the constant that it is, if
 * it is one. */
void precompute_find_entries(precompute *p);
void precompute_free_entries(precompute *p);
bool precompute_check_entries(const precompute *p);
MlirValue precompute_at_entries(const precompute *p, builder *b, const value_map *renamed,
                                MlirValue value, MlirValue otherwise);
MlirValue precompute_nothing(const precompute *p, tin_reduction kind);
MlirValue precompute_elsewhere(const precompute *p);
void precompute_settle_elsewhere(const precompute *p, MlirOperation select);

/* schedule_remapped.c: whether expressions lead from a variable, or what it is part of, to others;
 * whether foralls over a variable go through a listed one that has no forall of its own, and
 * whether this one follows so; whether number n of the list may be another variable in the
 * producer, false after why not; and new ones for the variable and all that expressions lead to. */
bool precompute_is_remapped(const precompute *p, MlirValue variable);
bool precompute_goes_through(const precompute *p, MlirValue listed, MlirValue variable);
bool precompute_follows(const precompute *p, MlirValue listed);
bool precompute_check_remapped(const precompute *p, int n);
void precompute_rename_remapped(precompute *p, MlirValue variable);

/* schedule_windows.c: finds what of the list goes through compound subscripts without foralls of
 * their own; whether number n does, and whether a window can be in its place; whether what windows
 * reach over is in no other subscript, and whether all else is known outside; false after why not.
 * Whether a forall over the variable goes through what a listed window reaches over; whether a read
 * of the value is of it beside, and whether all of that follows from others.  In a block of the
 * producer foralls over those listed from `*next` on, before another one. */
void precompute_find_windows(precompute *p);
bool precompute_is_window(const precompute *p, int n);
bool precompute_check_window(const precompute *p, int n);
bool precompute_check_covered(const precompute *p);
bool precompute_check_windows(const precompute *p);
bool precompute_covers(const precompute *p, MlirValue variable);
bool precompute_read_is_of(const precompute *p, MlirOperation read, MlirValue variable);
bool precompute_read_follows(const precompute *p, MlirOperation read, intptr_t count,
                             const MlirValue *from);
MlirBlock precompute_go_through_windows(const precompute *p, int *next, int before,
                                        MlirBlock block);

/* schedule_workspace.c: the name of what stands for a variable; the dimensions of the workspace,
 * and whether it may be what it is for them; false, after why not.  Then the statements with it. */
const char *precompute_new_name(const precompute *p, MlirValue variable);
bool precompute_choose_workspace(precompute *p);
bool precompute_transform(precompute *p);

#endif
