// The scheduling language parses into its commands, and says what it expected where it does not.
// RUN: %cc %includes %s %passes -o %t && %t | FileCheck %s
#include "schedule_parser.h"

#include <stdio.h>

static void show_names(const char *what, int count, const char **names) {
  for (int i = 0; i < count; ++i)
    printf("%s%s", i ? "," : what, names[i]);
}

static void show(const char *text) {
  arena *memory = arena_create();
  schedule s;
  if (!schedule_parse(memory, text, &s))
    printf("error %s\n", s.error);
  for (int i = 0; !s.error && i < s.count; ++i) {
    const schedule_command *c = &s.commands[i];
    printf("%s%s%s", c->result ? c->result : "", c->result ? ": " : "", c->name);
    show_names(" of ", c->known_count, c->known);
    show_names(" makes ", c->made_count, c->made);
    if (c->subject)
      printf(" subject {%s}", c->subject);
    if (c->workspace)
      printf(" in %s", c->workspace);
    if (c->number)
      printf(" number %d", (int)c->number);
    if (c->property)
      printf(" %s", c->property);
    for (int n = 0; n < c->strategy_count; ++n)
      printf(" %s=%d", c->strategies[n].name, (int)c->strategies[n].number);
    if (c->kind == SCHEDULE_PARALLELIZE)
      printf(" on %s %s", cin_unit_name(c->unit), cin_race_name(c->race));
    printf(" text {%s}\n", c->text);
  }
  printf("--\n");
  arena_free(memory);
}

static void show_commands(void) {
  // CHECK: --
  show("");
  // CHECK-NEXT: --
  show(" ; , ");
  // CHECK-NEXT: split of i makes i0,i1 number 32 text {split(i,i0,i1,32)}
  // CHECK-NEXT: reorder of i0,j,i1 text {reorder( i0 , j , i1 )}
  // CHECK-NEXT: unroll of i1 number 4 text {unroll (i1, 4)}
  // CHECK-NEXT: --
  show("split(i,i0,i1,32), reorder( i0 , j , i1 );unroll (i1, 4)");
  // CHECK-NEXT: parallelize of i on cpu_thread no_races text
  // CHECK-NEXT: parallelize of i on gpu_block atomics text
  // CHECK-NEXT: --
  show("parallelize(i, CPUThread, NoRaces) parallelize(i,gpu_block,atomics)");
  // CHECK-NEXT: split_up of i makes i0,i1 number 8
  // CHECK-NEXT: collapse of i,j makes f
  // CHECK-NEXT: pos of f makes p subject {A}
  // CHECK-NEXT: coord of p makes q
  // CHECK-NEXT: precompute of j makes jw subject {A(i,j) * x(j)}
  // CHECK-NEXT: bound of i makes ib number 100 max
  // CHECK-NEXT: --
  show("split_up(i,i0,i1,8) collapse(i,j,f) pos(f,p,A) coord(p,q) "
       "precompute(A(i,j) * x(j), j, jw) bound(i,ib,100,MAX)");

  // CHECK-NEXT: split_up of i makes i0,i1 number 8 text {divide(i,i0,i1,8)}
  // CHECK-NEXT: collapse of i,j makes f text {fuse(i,j,f)}
  // CHECK-NEXT: --
  show("divide(i,i0,i1,8) fuse(i,j,f)");

  // CHECK-NEXT: strategies of i text {strategies(i)}
  // CHECK-NEXT: strategies of i lanes=4 search=0 text
  // CHECK-NEXT: --
  show("strategies(i) strategies(i, lanes = 4, search)");
  // CHECK-NEXT: error strategies: expected each strategy once, found 'lanes=2'
  show("strategies(i, lanes, lanes=2)");
  // CHECK: error strategies: expected a positive number, found '-1'
  show("strategies(i, lanes=-1)");
  // CHECK: error strategies: expected a strategy such as search or lanes=4, found '4'
  show("strategies(i, 4)");
}

static void show_results(void) {
  // CHECK: {{^}}unroll of i number 2
  // CHECK-NEXT: y: unroll of i number 4
  // CHECK-NEXT: y: split of i makes i0,i1 number 8
  // CHECK-NEXT: z: unroll of k number 2
  show("unroll(i,2), y : unroll(i,4) split(i,i0,i1,8); z:unroll(k,2)");
  // CHECK: error expected a command, found ''
  show("y:");
  // CHECK: error expected a command, found ':unroll(i,2)'
  show(":unroll(i,2)");
}

static void show_errors(void) {
  // CHECK: error expected one of reorder, split, {{.*}}, strategies, found 'tile'
  show("tile(i,4)");
  // CHECK: error split: expected a positive number, found '0'
  show("split(i,i0,i1,0)");
  // CHECK: error split: expected a positive number, found '99999999999999999999'
  show("split(i,i0,i1,99999999999999999999)");
  // CHECK: error split: expected split(i, i0, i1, size), found 'split(i,i0,i1)'
  show("split(i,i0,i1)");
  // CHECK: error unroll: expected unroll(i, factor), found 'unroll(i,2,3)'
  show("unroll(i,2,3)");
  // CHECK: error reorder: expected reorder(i, j, ...), found 'reorder(i)'
  show("reorder(i)");
  // CHECK: error reorder: expected a variable, found ''
  show("reorder(i,)");
  // CHECK: error split: expected a name for a new variable, found '1'
  show("split(i,1,i1,4)");
  // CHECK: error parallelize: expected cpu_thread, cpu_vector, {{.*}}, found 'cpu'
  show("parallelize(i,cpu,no_races)");
  // CHECK: error parallelize: expected no_races, {{.*}}, found 'races'
  show("parallelize(i,cpu_thread,races)");
  // CHECK: error bound: expected max_exact, min_exact, max_constraint or min_constraint, found 'min'
  show("bound(i,ib,10,min)");
  // CHECK: error split: expected split(i, i0, i1, size), found 'split'
  show("split i");
  // CHECK: error split: expected ')', found 'the end of the schedule'
  show("split(i,(i0");
  // CHECK: error expected a command, found '(i)'
  show("(i)");
}

static void show_precompute(void) {
  // CHECK: precompute of i,j makes iw,j subject {B(i,j)*c(j)} in w text
  show("precompute(B(i,j)*c(j), { i , j }, {iw,j}, w)");
  // CHECK: precompute subject {alpha * B(0, j)} in t text
  show("precompute( alpha * B(0, j) , {}, {}, t)");
  // CHECK: precompute of i makes iw subject {max(A(i), b)} text
  show("precompute(max(A(i), b), i, {iw})");
  // CHECK: error precompute: column 1: expected a tensor, a number or '(', found the end
  show("precompute(, i, iw)");
  // CHECK: error precompute: column {{[0-9]+}}: expected a tensor, a number or '(', found the end after
  show("precompute(A * , i, iw)");
  // CHECK: error precompute: expected as many new variables as variables, 2, found '{iw}'
  show("precompute(A(i), {i,j}, {iw})");
  // CHECK: error precompute: expected a list of variables such as {i, j}, found '{i,}'
  show("precompute(A(i), {i,}, iw)");
  // CHECK: error precompute: expected a list of variables such as {i, j}, found '{i j}'
  show("precompute(A(i), {i j}, iw)");
  // CHECK: error precompute: expected a list of variables such as {i, j}, found '{i}j'
  show("precompute(A(i), {i}j, iw)");
  // CHECK: error precompute: expected a name for a workspace, found '2'
  show("precompute(A(i), i, iw, 2)");
  // CHECK: error precompute: expected precompute(expression, {i, ...}, {iw, ...}, workspace), found 'precompute(A(i), i)'
  show("precompute(A(i), i)");
  // CHECK: error precompute: expected precompute(expression, {i, ...}, {iw, ...}, workspace), found 'precompute(A(i), i, iw, w, v)'
  show("precompute(A(i), i, iw, w, v)");
  // CHECK: error precompute: column 1: expected a name{{.*}}found '{'
  show("precompute({A}, i, iw)");
  // CHECK: error precompute: {{.*}}
  show("precompute({A), i}");
  // CHECK: error expected no '"', and braces in pairs, found '}'
  show("precompute(A(i)}, i, {iw)");
  // CHECK: error expected braces in pairs, found 'precompute({A), i'
  show("precompute({A), i");
}

int main(void) {
  show_commands();
  show_results();
  show_errors();
  show_precompute();
  return 0;
}
