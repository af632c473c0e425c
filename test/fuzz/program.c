/* Fuzzes `.mlir` programs through the pipeline --sparse-cpu, from any rung. */
#include "session.h"

#include "tokens.h"

#include <stdlib.h>
#include <string.h>

enum { LONGEST = 6000 };

static const char *const words[] = {"tin.einsum",
                                    "tin.compute",
                                    "tin.convert",
                                    "tin.reduce",
                                    "tin.yield",
                                    "tin.print",
                                    "tin.read",
                                    "tin.write",
                                    "cin.kernel",
                                    "cin.index",
                                    "cin.forall",
                                    "cin.where",
                                    "cin.read",
                                    "cin.assign",
                                    "cin.workspace",
                                    "cin.split",
                                    "cin.collapse",
                                    "cin.pos",
                                    "cin.coord",
                                    "cin.bound",
                                    "sit.kernel",
                                    "sit.coiterate",
                                    "sit.result",
                                    "sit.locate",
                                    "sit.load",
                                    "sit.store",
                                    "sit.insert",
                                    "sit.append",
                                    "sit.close",
                                    "sit.end",
                                    "sit.finish",
                                    "sit.workspace",
                                    "sit.extent",
                                    "sit.match",
                                    "sit.var",
                                    "sit.get",
                                    "sit.set",
                                    "dense",
                                    "compressed",
                                    "singleton",
                                    "(nonunique)",
                                    "tensor<?xf64>",
                                    "tensor<?x?xf64>",
                                    "tensor<f64>",
                                    "tensor<4x4xi32>",
                                    "i32",
                                    "f32",
                                    "f64",
                                    "complex<f64>",
                                    "index",
                                    "%0",
                                    "%1",
                                    "%A",
                                    "%x",
                                    "add",
                                    "max",
                                    "min",
                                    "and",
                                    "or",
                                    "fill",
                                    "identity",
                                    "level",
                                    "under",
                                    "from",
                                    "d0",
                                    "on cpu_thread",
                                    "cpu_lane",
                                    "no_races",
                                    "atomics",
                                    "initial",
                                    "over"};

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t room);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t room, unsigned seed);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t room, unsigned seed) {
  const char *list[sizeof words / sizeof *words + 1] = {0};
  memcpy(list, words, sizeof words);
  return seed % 16 == 0 ? LLVMFuzzerMutate(data, size, room)
                        : tokens_mutate(data, size, room, seed, list);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size > LONGEST || memchr(data, '\0', size))
    return 0;
  char *text = session_text(data, size);
  session_lower(text, "", 1 + (int64_t)(size % 2));
  free(text);
  return 0;
}
