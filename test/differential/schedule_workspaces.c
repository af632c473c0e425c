/* Random schedules that compute a part of the statement before, into a workspace. */
#include "schedule_attempts.h"

#include <stdio.h>
#include <string.h>

enum { VALUE_SIZE = 300 };

/* The root, or a part of it, further down by chance. */
static const node *choose_node(maker *m) {
  const node *n = m->c->root;
  while (n->left && chance(m, 60))
    n = n->right && chance(m, 50) ? n->right : n->left;
  return n;
}

/* A part of the statement; of a product of three now and then the first and the last factor. */
static const node *write_value(maker *m, char *text) {
  const test_case *c = m->c;
  const node *n = choose_node(m);
  char first[VALUE_SIZE / 2], last[VALUE_SIZE / 2];
  bool skips = n->kind == NODE_MULTIPLY && n->left->kind == NODE_MULTIPLY && chance(m, 50);
  write_node(c, n, text, VALUE_SIZE);
  if (skips) {
    write_node(c, n->left->left, first, sizeof first);
    write_node(c, n->right, last, sizeof last);
    snprintf(text, VALUE_SIZE, chance(m, 50) ? "%s * %s" : "%s*%s", last, first);
  }
  return n->variables && strlen(text) < VALUE_SIZE / 2 - 1 ? n : NULL;
}

/* "{i,j},{iw,j}": some of the variables of a value, or parts of them; what can be done with the
 * first of the producer's then is added to `then`. */
static char *write_list(maker *m, unsigned variables, int split, char *text, char *then) {
  char made[64] = "";
  int count = 0;
  *then = '\0';
  text += sprintf(text, "{");
  for (int v = 0; v < m->c->variable_count; v++) {
    char name[4];
    if (!(variables >> v & 1) || chance(m, 50))
      continue;
    sprintf(name, v == split ? "%c1" : "%c", variable_names[v]);
    bool renamed = chance(m, 60);
    text += sprintf(text, "%s%s", count ? "," : "", name);
    sprintf(made + strlen(made), "%s%s%s", count ? "," : "", name, renamed ? "w" : "");
    if (!count++ && renamed)
      sprintf(then, chance(m, 50) ? " split(%sw,y0,y1,3)" : " unroll(%sw,2)", name);
  }
  return text + sprintf(text, "},{%s}", made);
}

/* Computes a part of the statement before, sums inside of it too, into a workspace, with the loops
 * of one nest in some order. */
bool attempt_precompute(maker *m) {
  test_case *c = m->c;
  char value[VALUE_SIZE], then[32], *text = c->schedule;
  const node *n = write_value(m, value);
  int split = chance(m, 30) ? pick(m, c->variable_count) : -1;
  if (!n || choose_exotic_access(m))
    return false;
  *text = '\0';
  if (chance(m, 40) && c->variable_count > 1 && is_one_nest(c)) {
    char names[MOST_LOOPS][4] = {{0}};
    int count = 0;
    for (int v = 0; v < c->variable_count; v++)
      if (is_used(c, v))
        sprintf(names[count++], "%c", variable_names[v]);
    shuffle(m, count, names);
    for (int k = 0; k < count && count > 1; k++)
      text += sprintf(text, "%s%s%s", k ? "," : "reorder(", names[k], k == count - 1 ? ") " : "");
  }
  if (split >= 0)
    text += sprintf(text, "%s(%c,%c0,%c1,%d) ", split_name(m), variable_names[split],
                    variable_names[split], variable_names[split], 1 + pick(m, 5));
  text += sprintf(text, "precompute(%s,", value);
  text = write_list(m, n->variables, split, text, then);
  text += sprintf(text, chance(m, 50) ? ",w)" : ")");
  if (chance(m, 40))
    text += sprintf(text, "%s", then);
  if (chance(m, 20) && is_dense(&c->result))
    sprintf(text, " parallelize(%c,cpu_thread,atomics)",
            variable_names[pick(m, c->variable_count)]);
  return true;
}

/* "{i_block,i_in},{iw,jw}": loops over what levels hold. */
static void write_loop_list(maker *m, const node *access, char *text) {
  char known[128] = "", made[128] = "", name[16];
  bool renames = chance(m, 60);
  int count = 0;
  for (const char *l = m->c->tensors[access->tensor].exotic; l && count < 4; l = next_level(l)) {
    if (chance(m, 40) || !write_loop_name(access, l, name))
      continue;
    sprintf(known + strlen(known), "%s%s", count ? "," : "", name);
    sprintf(made + strlen(made), "%s%s%s", count ? "," : "", name, renames ? "w" : "");
    count++;
  }
  sprintf(text, "{%s},{%s}", known, made);
}

/* Computes a part before, over dimensions that blocks and diagonals hold expressions of, or over
 * these. */
bool attempt_exotic_precompute(maker *m) {
  char value[VALUE_SIZE], then[32], *text = m->c->schedule;
  const node *access = choose_exotic_access(m), *n = write_value(m, value);
  if (!access || !n)
    return false;
  text += sprintf(text, "precompute(%s,", value);
  if (chance(m, 50))
    write_list(m, n->variables, -1, text, then);
  else
    write_loop_list(m, access, text);
  sprintf(text + strlen(text), ",w)");
  return is_one_nest(m->c);
}

/* The innermost variable that the schedule has made of positions or of collapsed variables. */
static const char *last_made(const char *schedule) {
  static const char *const names[] = {"p3", "x1", "p1", "p", "g", "f"};
  char argument[8];
  for (size_t n = 0; n < sizeof names / sizeof *names; n++) {
    sprintf(argument, ",%s,", names[n]);
    if (strstr(schedule, argument))
      return names[n];
    sprintf(argument, ",%s)", names[n]);
    if (strstr(schedule, argument))
      return names[n];
  }
  return NULL;
}

/* Computes a part of the statement before, into a workspace that has a place for each position of a
 * piece, or for each point of collapsed variables. */
bool attempt_numbered(maker *m) {
  test_case *c = m->c;
  char value[VALUE_SIZE];
  if (!(chance(m, 60) ? attempt_positions(m) : attempt_collapse(m)) || !write_value(m, value))
    return false;
  char *threads = strstr(c->schedule, " parallelize(");
  if (threads)
    *threads = '\0';
  const char *name = last_made(c->schedule);
  char *text = c->schedule + strlen(c->schedule);
  if (!name)
    return false;
  const char *renamed = chance(m, 70) ? "w" : "";
  if (name[1] && chance(m, 25)) {
    char outer[] = {*name, (char)(name[1] - 1), '\0'};
    text += sprintf(text, " precompute(%s,{%s,%s},{%s%s,%s%s},w)", value, outer, name, outer,
                    chance(m, 50) ? "w" : "", name, renamed);
  } else
    text += sprintf(text, " precompute(%s,%s,%s%s,w)", value, name, name, renamed);
  if (chance(m, 30))
    text += sprintf(text, " unroll(%s,2)", name);
  if (chance(m, 20) && is_dense(&c->result))
    sprintf(text, " parallelize(%c0,cpu_thread,%s)", *name, shared_race(m));
  return is_one_nest(c);
}

static bool ascends(const subscript *s) {
  for (int v = 0; v < MAX_VARIABLES; v++)
    if (s->factors[v] < 0)
      return false;
  return true;
}

/* The compound subscripts of an access that go into a list, one at least: a set; 0 for none. */
static unsigned choose_compound(maker *m, const node *access) {
  const tensor *t = &m->c->tensors[access->tensor];
  unsigned compound = 0, chosen = 0;
  for (int d = 0; d < t->order; d++)
    if (subscript_bare(&access->subscripts[d]) < 0 && ascends(&access->subscripts[d]))
      compound |= 1u << d;
  for (int tries = 0; compound && !chosen && tries < 8; tries++)
    chosen = compound & (unsigned)pick(m, 1 << t->order);
  return chosen;
}

/* The variables that these subscripts have. */
static unsigned variables_of(const test_case *c, const node *access, unsigned subscripts) {
  unsigned variables = 0;
  for (int d = 0; d < c->tensors[access->tensor].order; d++)
    for (int v = 0; subscripts >> d & 1 && v < c->variable_count; v++)
      variables |= access->subscripts[d].factors[v] ? 1u << v : 0;
  return variables;
}

/* ",i,i0" for some of the variables in any order, `part` of the one that is split. */
static char *write_loops(maker *m, unsigned variables, int split, char part, char *text) {
  char names[MOST_LOOPS][4] = {{0}};
  int count = 0;
  for (int v = 0; v < m->c->variable_count; v++)
    if (variables >> v & 1 && is_used(m->c, v))
      sprintf(names[count++], v == split ? "%c%c" : "%c", variable_names[v], part);
  shuffle(m, count, names);
  for (int n = 0; n < count; n++)
    text += sprintf(text, ",%s", names[n]);
  return text;
}

/* Expands an operand along compound subscripts, all of them or a block at a time, before what goes
 * along it; a loop outside on threads now and then. */
bool attempt_window(maker *m) {
  test_case *c = m->c;
  const node *access = choose_access(m);
  unsigned chosen = access ? choose_compound(m, access) : 0, all = 0;
  if (!chosen)
    return false;
  unsigned inner = variables_of(c, access, chosen);
  int split = chance(m, 50) ? pick(m, c->variable_count) : -1;
  char value[VALUE_SIZE], names[128] = "", name[NAME_SIZE], *text = c->schedule;
  *text = '\0';
  split = split >= 0 && inner >> split & 1 ? split : -1;
  for (int v = 0; v < c->variable_count; v++)
    all |= 1u << v;
  if (split >= 0)
    text += sprintf(text, "split(%c,%c0,%c1,%d) ", variable_names[split], variable_names[split],
                    variable_names[split], 1 + pick(m, 5));
  char loops[128] = "", *end = loops;
  if (chance(m, 90))
    end = write_loops(m, (all & ~inner) | (split < 0 ? 0 : 1u << split), split, '0', end);
  write_loops(m, inner, split, '1', end);
  if (strchr(loops + 1, ','))
    text += sprintf(text, "reorder(%s) ", loops + 1);
  for (int d = 0; d < MAX_TENSOR_ORDER; d++)
    if (chosen >> d & 1) {
      write_form_name(&access->subscripts[d], false, split, name);
      sprintf(names + strlen(names), "%s%s", *names ? "," : "", name);
    }
  write_node(c, access, value, sizeof value);
  text += sprintf(text, "precompute(%s,{%s},{%s},w)", value, names, names);
  if (split >= 0 && chance(m, 40))
    sprintf(text, " parallelize(%c0,cpu_thread,%s)", variable_names[split],
            chance(m, 50) ? "no_races" : shared_race(m));
  else if (split >= 0 && chance(m, 30))
    sprintf(text, " parallelize(%c1,cpu_vector)", variable_names[split]);
  return is_one_nest(c);
}
