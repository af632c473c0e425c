// Tensor index notation parses into accesses, variables and an expression, whatever the bytes;
// where it does not, the message says at which column what was expected.
// RUN: %cc %includes %s %passes -o %t && %t | FileCheck %s
#include "einsum_parser.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void show_subscript(const einsum *e, const einsum_subscript *s) {
  for (int t = 0; t < s->term_count; t++)
    printf("%+lld%s", (long long)s->terms[t].coefficient, e->variables[s->terms[t].variable]);
  printf("%+lld ", (long long)s->constant);
}

static void show_access(const einsum *e, const einsum_access *a, const char *name) {
  printf("%s( ", name);
  for (int s = 0; s < a->order; s++)
    show_subscript(e, &a->subscripts[s]);
  printf(")");
}

static void show_node(const einsum *e, const einsum_node *n) {
  static const char *const operators[] = {[EINSUM_ADD] = "+",
                                          [EINSUM_SUBTRACT] = "-",
                                          [EINSUM_MULTIPLY] = "*",
                                          [EINSUM_DIVIDE] = "/",
                                          [EINSUM_NEGATE] = "neg"};
  if (n->kind == EINSUM_NUMBER) {
    printf("%s", n->number);
  } else if (n->kind == EINSUM_ACCESS) {
    show_access(e, n->access, e->tensors[n->access->tensor].name);
  } else {
    printf("[%s ", n->kind == EINSUM_CALL ? n->function->name : operators[n->kind]);
    show_node(e, n->left);
    if (n->right) {
      printf(" ");
      show_node(e, n->right);
    }
    if (n->third) {
      printf(" ");
      show_node(e, n->third);
    }
    printf("]");
  }
}

static void show(const char *text) {
  arena *memory = arena_create();
  einsum_error error;
  const einsum *e = einsum_parse(memory, text, strlen(text), &error);
  if (e) {
    show_access(e, &e->result_access, e->result);
    printf(e->accumulate ? " += " : " = ");
    show_node(e, e->expression);
    printf(" tensors");
    for (int t = 0; t < e->tensor_count; t++)
      printf(" %s:%d", e->tensors[t].name, e->tensors[t].order);
    printf(" variables");
    for (int v = 0; v < e->variable_count; v++)
      printf(" %s", e->variables[v]);
    printf("\n");
  } else {
    puts(einsum_error_text(memory, text, strlen(text), &error));
  }
  arena_free(memory);
}

/* Any bytes parse or give a message at a column of the text. */
static void parse_noise(void) {
  static const char *const parts[] = {
      "A",  "(",    ")", "i",    ",",       "+",  "=",  "+=",
      "*",  "-",    "/", "2",    ".5e3",    "e",  " ",  "max",
      "\n", "\xff", "%", "exp(", "y(i) = ", "''", "1e", "9999999999999999999"};
  char text[256];
  int parsed = 0;
  srand(1);
  for (int round = 0; round < 20000; round++) {
    size_t length = 0;
    for (int p = rand() % 30; p > 0 && length + 30 < sizeof text; p--) {
      const char *part = parts[rand() % (int)(sizeof parts / sizeof *parts)];
      memcpy(text + length, part, strlen(part));
      length += strlen(part);
    }
    arena *memory = arena_create();
    einsum_error error;
    if (einsum_parse(memory, text, length, &error))
      parsed++;
    else if (error.column < 1 || (size_t)error.column > length + 1 || !error.message)
      printf("no place for an error in %.*s\n", (int)length, text);
    arena_free(memory);
  }
  printf("noise: %s\n", parsed > 0 ? "some of it parses" : "none of it parses");
}

static void parse_repeated(const char *start, const char *part, int count) {
  arena *memory = arena_create();
  size_t room = strlen(start) + strlen(part) * (size_t)count + 1;
  char *text = malloc(room);
  strcpy(text, start);
  char *end = text + strlen(text);
  for (int i = 0; i < count; i++, end += strlen(part))
    strcpy(end, part);
  einsum_error error;
  const einsum *e = einsum_parse(memory, text, strlen(text), &error);
  puts(e ? "parses" : error.message);
  free(text);
  arena_free(memory);
}

int main(void) {
  // CHECK: y( +1i+0 ) = [* A( +1i+0 +1j+0 ) x( +1j+0 )] tensors A:2 x:1 variables i j
  show("y(i) = A(i,j) * x(j)");
  // CHECK-NEXT: y( +1i+0 ) += [* alpha( ) x( +1i+0 )] tensors y:1 alpha:0 x:1 variables i
  show("y(i) += alpha * x(i)");
  // CHECK-NEXT: s( ) = [- [- [neg a( )] b( )] [* c( ) [neg 2.5e-3]]] tensors a:0 b:0 c:0 variables
  show("s = -a() - b - c*-2.5e-3");
  // CHECK-NEXT: y( +1i+0 ) = x( +2i-1j+1 ) tensors x:1 variables i j
  show("y(i)=x(2*i - j + 1)");
  // CHECK-NEXT: y( +1i+0 ) = x( +3j+0 ) tensors x:1 variables i j
  show("y(i) = x(i + j*3 - i)");
  // CHECK-NEXT: y( +1i+0 ) = [max [max [exp A( +1i+0 +1i+0 )] 0] max( )] tensors A:2 max:0 variables i
  show("y(i) = max(exp(A(i,i)), 0, max)");
  // CHECK-NEXT: y( +1i+0 ) = [/ [+ b( +1i+0 ) c( +1i+0 )] 2] tensors b:1 c:1 variables i
  show("y(i) = (b(i) + c(i)) / 2");

  // CHECK-NEXT: y( ) = [neg [pow x( ) [pow 2 [neg 3]]]]
  show("y = -x^2^-3");
  // CHECK-NEXT: y( ) = [> [* x( ) 2] [- [!= a( ) 0] 1]]
  show("y = x * 2 > (a != 0) - 1");
  // CHECK-NEXT: y( ) = [select [<= x( ) 0] [max x( ) 1] [neg x( )]]
  show("y = select(x<=0, max(x, 1), -x)");

  // CHECK-NEXT: column 1: expected the name of the result, found the end
  show("");
  // CHECK: column 6: expected '=' or '+=', found 'A' after 'y(i) '
  show("y(i) A(i)");
  // CHECK: column 6: expected an index variable, found '*'
  show("y(i, *)");
  // CHECK: column 13: expected an operator or the end, found ')'
  show("y(i) = x(i) )");
  // CHECK: column 1: expected subscripts from 0 on in the result 'y', found -1
  show("y(i,-1) = x(i)");
  // CHECK: column 10: expected an integer of at most 15 digits, found '1.5'
  show("y(i) = x(1.5)");
  // CHECK: column 8: expected at least 2 arguments of 'min', found 1
  show("y(i) = min(x(i))");
  // CHECK: column 8: expected 3 arguments of 'select', found 2
  show("y(i) = select(x(i), 1)");
  // CHECK: column 12: expected parentheses around one of two comparisons, found '<'
  show("y = x == 1 < 2");
  // CHECK: column 8: no function 'sqr'; did you mean 'sqrt'? after 'y(i) = '
  show("y(i) = sqr(x(i))");
  // CHECK: column 8: no function 'frobnicate' after 'y(i) = '
  show("y(i) = frobnicate(x(i))");
  // CHECK: column 8: expected a name, a number or one of {{.*}}, found byte 0xc3
  show("y(i) = \xc3\xa9");

  // CHECK: nested more than 200 deep
  parse_repeated("y = ", "(", 100000);
  // CHECK-NEXT: nested more than 200 deep
  parse_repeated("y = ", "-", 100000);
  // CHECK-NEXT: the expression has more than 25000 operations
  parse_repeated("y = x", "+x", 100000);
  // CHECK-NEXT: parses
  parse_repeated("y = x", "+x", 12000);
  // CHECK-NEXT: noise: some of it parses
  parse_noise();
  return 0;
}
