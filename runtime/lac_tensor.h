/* lac_tensor.h - a stored tensor, and what generated kernels and C callers do with it.
 *
 * A tensor is stored as a hierarchy of levels (Chou et al. 2018, section 3.1): each level
 * encodes the coordinates of one dimension below the positions of the level above it, and
 * the positions of the last level number the values.  A CSR matrix, (i : dense, j : compressed):
 *
 *        0 1 2 3            level 0  "dense"       size 3
 *      0 a . b .            level 1  "compressed"  array[LAC_POSITIONS]   = 0 2 2 3
 *      1 . . . .                                   array[LAC_COORDINATES] = 0 2 1
 *      2 . c . .            values                 a b c
 *
 * The runtime knows no compiler and holds no kernels: it owns memory, reads and writes files,
 * sorts coordinates, and carries errors.
 */
#ifndef LAC_TENSOR_H
#define LAC_TENSOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What compiled kernels and the runtime agree on: the layout of the structs below, and the
 * functions of lac_kernel.h.  One more with each change that older kernels would not survive.  The
 * runtime defines the symbol lac_runtime_abi_<number>, and kernels refer to it: one that was
 * compiled for another runtime is refused when it is linked or loaded ("undefined symbol:
 * lac_runtime_abi_3"). */
#define LAC_ABI_VERSION 3
#define LAC_ABI_SYMBOL_PREFIX "lac_runtime_abi_"

/* What a function of the runtime, or a kernel, came to.  0 is success; every other value
 * leaves a message that lac_error_message() returns. */
typedef enum lac_status {
  LAC_OK = 0,
  LAC_ERROR_MEMORY,   /* memory ran out, or a size does not fit in 64 bits */
  LAC_ERROR_SHAPE,    /* the operands' dimensions do not agree */
  LAC_ERROR_OVERFLOW, /* a position or coordinate does not fit its width */
  LAC_ERROR_FORMAT,   /* a tensor is not stored as the kernel expects */
  LAC_ERROR_FILE,     /* a file cannot be opened, read or written */
  LAC_ERROR_INPUT,    /* a file's content is malformed */
  LAC_ERROR_DEVICE    /* there is no device, it failed, or what it runs does (lac_device.h) */
} lac_status;

/* Element types.  The numbers are part of the interface of compiled kernels. */
typedef enum lac_type {
  LAC_F64 = 0,
  LAC_F32,
  LAC_F16,
  LAC_BF16,
  LAC_I8,
  LAC_I16,
  LAC_I32,
  LAC_I64,
  LAC_C64, /* complex of two f32 */
  LAC_C128 /* complex of two f64 */
} lac_type;

/* One array of a level, or the values.  `length` and `capacity` count elements of `width` bytes.
 * The runtime frees `data` with the tensor only where `owned` is set; a caller's own arrays are
 * lent with `owned` clear and are never reallocated nor written through an operand. */
typedef struct lac_array {
  void *data;
  int64_t length;
  int64_t capacity;
  int32_t width;
  int32_t owned;
} lac_array;

/* An array of the caller's: `length` elements of `width` bytes, which the tensor does not own. */
static inline lac_array lac_array_lend(void *data, int64_t length, int32_t width) {
  lac_array lent = {data, length, length, width, 0};
  return lent;
}

/* The arrays of a level by their place.  Level formats of a user's own may use all four. */
enum { LAC_POSITIONS = 0, LAC_COORDINATES = 1, LAC_FLAGS = 2, LAC_ENDS = 2, LAC_ARRAYS = 4 };

/* Element `index` of an array of unsigned integers; one of 64 bits that has its top bit set reads
 * as negative. */
static inline int64_t lac_array_get(const lac_array *array, int64_t index) {
  switch (array->width) {
  case 1:
    return ((const uint8_t *)array->data)[index];
  case 2:
    return ((const uint16_t *)array->data)[index];
  case 4:
    return ((const uint32_t *)array->data)[index];
  default:
    return ((const int64_t *)array->data)[index];
  }
}

/* One level: the name of its level format, the number of coordinates that it spans (for the level
 * of dimension j of a CSR matrix, the number of columns), and its arrays. */
typedef struct lac_level {
  const char *kind; /* static or lent; never freed */
  int64_t size;
  lac_array array[LAC_ARRAYS];
} lac_level;

/* No dimension is larger, so that sums of a few fit 64 bits. */
#define LAC_LARGEST_SIZE (INT64_C(1) << 60)

/* A stored tensor.  Generated code reads the fields at these offsets: their order is part of the
 * interface of compiled kernels.  `dimensions` has `order` elements, `levels` has `level_count`. */
typedef struct lac_tensor {
  int64_t order;
  int64_t level_count;
  int64_t *dimensions;
  lac_level *levels;
  lac_array values;
  int32_t type;  /* a lac_type */
  int32_t owned; /* whether `dimensions` and `levels` are the runtime's to free */
} lac_tensor;

/* The bytes of an element, and its name in signatures and on command lines: f64 f32 f16 bf16 i8 i16
 * i32 i64 c64 c128 (width 0 and NULL for a number that is no lac_type; -1 for a name that is none).
 */
int32_t lac_type_width(int32_t type);
const char *lac_type_name(int32_t type);
int32_t lac_type_from_name(const char *name);

/* On how many threads kernels that this thread calls run their parallel loops: 0, the default, for
 * what OpenMP gives (OMP_NUM_THREADS, omp_set_num_threads).  A kernel compiled for one thread has
 * no parallel loops.  Files that it reads are parsed on so many threads too: 0, on its own. */
void lac_threads_set(int32_t count);
int32_t lac_threads(void);

/* Waking a thread takes as long as some 65,536 stored values: a loop that is expected to visit
 * fewer, or twice as many places of dense arrays or values that go into pieces of a result, runs on
 * the thread that calls it. Sets another number, for all threads of the process: 0 for every loop
 * on as many threads as are set, negative for what LACUNA_THREADS_FROM in the environment says or,
 * without it, 65,536. */
void lac_threads_set_from(int64_t visits);
int64_t lac_threads_from(void);

/* A dense result of so many bytes and more, in memory that has been used before, is stored past the
 * caches, which then keep what is read.  Sets another number, for all threads of the process: 0 for
 * every result, negative for what LACUNA_STREAM_FROM in the environment says or, without it, what
 * the last cache holds, and 32 MiB at most. */
void lac_stream_set_from(int64_t bytes);
int64_t lac_stream_from(void);

/* Frees what the tensor owns and clears it to the empty tensor (all zero), which may be freed again
 * or given to a kernel as its result.  NULL is taken. */
void lac_tensor_free(lac_tensor *tensor);

/* The bytes of all its arrays, the values among them. */
int64_t lac_tensor_bytes(const lac_tensor *tensor);

/* Makes `copy`, an empty tensor, a copy of `tensor` that owns all its arrays.  LAC_ERROR_MEMORY
 * leaves `copy` empty. */
int32_t lac_tensor_copy(const lac_tensor *tensor, lac_tensor *copy);

/* Properties of a level that its arrays do not show, for lac_tensor_check. */
enum { LAC_NONUNIQUE = 1, LAC_UNORDERED = 2 };

/* Checks every invariant of the storage of a tensor of dense, compressed and singleton levels (of
 * others, that their arrays are there): the arrays' lengths; positions that begin with 0 and do not
 * decrease; coordinates inside their level's size, and below one parent ascending (not descending
 * where the level is LAC_NONUNIQUE; in any order where it is LAC_UNORDERED).  Below a nonunique
 * level the singleton levels continue the comparison, so that the entries of a coordinate list are
 * compared lexicographically.  `level_flags` has one byte a level; NULL is all ordered and unique.
 * Reads each array once. LAC_OK, or LAC_ERROR_FORMAT with the level, what was expected and what was
 * found. */
int32_t lac_tensor_check(const lac_tensor *tensor, const uint8_t *level_flags);

/* The same of a tensor that must be stored as `signature` says (lac_kernel.h; NULL: in any way), of
 * all levels whose layouts it tells, with a name for the tensor in messages. */
int32_t lac_tensor_check_stored(const lac_tensor *tensor, const char *signature,
                                const uint8_t *level_flags, const char *name);

/* As lac_tensor_check, with a name for the tensor in messages. */
int32_t lac_tensor_check_named(const lac_tensor *tensor, const uint8_t *level_flags,
                               const char *name);

/* The one copy of `name` that lasts as long as the process, so that a tensor's kinds may outlive
 * the text that named them.  NULL where memory ran out.  Thread-safe. */
const char *lac_intern(const char *name);

#ifdef __cplusplus
}
#endif
#endif
