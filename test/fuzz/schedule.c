/* Fuzzes schedules: their parser, and those that parse on two kernels through the whole pipeline.
 */
#include "session.h"

#include "arena.h"
#include "schedule_parser.h"
#include "tokens.h"

#include <stdlib.h>
#include <string.h>

enum { LONGEST = 300 };

static const char *const words[] = {"y:",
                                    "reorder(",
                                    "split(",
                                    "split_up(",
                                    "collapse(",
                                    "pos(",
                                    "coord(",
                                    "precompute(",
                                    "bound(",
                                    "unroll(",
                                    "parallelize(",
                                    "cpu_thread",
                                    "cpu_lane",
                                    "no_races",
                                    "atomics",
                                    "temporary",
                                    "ignore_races",
                                    "parallel_reduction",
                                    "exact",
                                    "max",
                                    "i",
                                    "j",
                                    "k",
                                    "i0",
                                    "i1",
                                    "jp",
                                    "jw",
                                    ",",
                                    ")",
                                    ";",
                                    "4",
                                    "A",
                                    "A(i,j)*x(j)",
                                    "B(j,k)",
                                    "{",
                                    "}",
                                    "{i,j}",
                                    "{}",
                                    "precompute(A(i,j)*x(j),j,jw,w)",
                                    "split(i,i0,i1,4)",
                                    "pos(j,jp,A)",
                                    "reorder(j,i)",
                                    "parallelize(i,cpu_thread,no_races)"};

static const char *const programs[] = {
    "func.func @f(%A: tensor<?x?xf64, #tin.format<(i, j) -> (i : dense, j : compressed)>>, "
    "%x: tensor<?xf64>) -> tensor<?xf64> {\n"
    "  %y = tin.einsum \"y(i) = A(i,j) * x(j)\" (%A, %x) : (tensor<?x?xf64, "
    "#tin.format<(i, j) -> (i : dense, j : compressed)>>, tensor<?xf64>) -> tensor<?xf64>\n"
    "  return %y : tensor<?xf64>\n}\n",
    "func.func @f(%A: tensor<?x?xf64, #tin.format<(i, j) -> (i : compressed, j : compressed)>>, "
    "%B: tensor<?x?xf64>) -> tensor<?x?xf64> {\n"
    "  %C = tin.einsum \"C(i,k) = A(i,j) * B(j,k)\" (%A, %B) : (tensor<?x?xf64, "
    "#tin.format<(i, j) -> (i : compressed, j : compressed)>>, tensor<?x?xf64>) -> "
    "tensor<?x?xf64>\n"
    "  return %C : tensor<?x?xf64>\n}\n"};

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t room);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t room, unsigned seed);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t room, unsigned seed) {
  const char *list[sizeof words / sizeof *words + 1] = {0};
  memcpy(list, words, sizeof words);
  return seed % 5 == 0 ? LLVMFuzzerMutate(data, size, room)
                       : tokens_mutate(data, size, room, seed, list);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  arena *memory = arena_create();
  char *text = session_text(data, size);
  schedule s;
  bool parses = schedule_parse(memory, text, &s);
  if (!parses && !s.error)
    session_finding("a schedule is refused without a message");
  if (parses && size <= LONGEST && !strpbrk(text, "\"\\"))
    for (size_t i = 0; i < sizeof programs / sizeof *programs; i++)
      session_lower(programs[i], text, 2);
  free(text);
  arena_free(memory);
  return 0;
}
