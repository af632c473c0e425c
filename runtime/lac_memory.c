/* lac_memory.c - blocks from malloc and mmap, and the arrays made of them; see lac_memory.h. */
#include "lac_memory.h"

#include "lac_clean.h"
#include "lac_device_stays.h"
#include "lac_error.h"
#include "lac_kept.h"
#include "lac_machine.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

static const int64_t huge_page = INT64_C(2) << 20;
static const int64_t largest_block = INT64_C(1) << 62;

/* ---- Failures on request ------------------------------------------------------------------ */

enum { FAIL_NEVER = -1, FAIL_UNREAD = -2 };
static _Atomic int64_t allocations_left = FAIL_UNREAD;

void lac_test_fail_allocation_after(int64_t count) {
  atomic_store(&allocations_left, count < 0 ? FAIL_NEVER : count);
}

static int64_t read_environment(void) {
  const char *text = getenv("LACUNA_FAIL_ALLOCATION_AFTER");
  int64_t unread = FAIL_UNREAD;
  atomic_compare_exchange_strong(&allocations_left, &unread,
                                 text && *text ? strtoll(text, NULL, 10) : FAIL_NEVER);
  return atomic_load(&allocations_left);
}

static bool may_allocate(void) {
  int64_t left = atomic_load_explicit(&allocations_left, memory_order_relaxed);
  if (left == FAIL_UNREAD)
    left = read_environment();
  while (left > 0 && !atomic_compare_exchange_weak(&allocations_left, &left, left - 1))
    ;
  return left != 0;
}

/* ---- Mapped blocks ------------------------------------------------------------------------ */

static bool is_mapped(int64_t bytes) {
  return bytes >= huge_page;
}

static int64_t mapped_size(int64_t bytes) {
  return (bytes + huge_page - 1) / huge_page * huge_page;
}

static void *map_pages(int64_t size) {
  void *base = MAP_FAILED;
  do
    base = mmap(NULL, (size_t)size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  while (base == MAP_FAILED && (lac_kept_drop() | lac_clean_drop()));
  return base == MAP_FAILED ? NULL : base;
}

static void unmap(char *begin, const char *end) {
  if (begin < end)
    munmap(begin, (size_t)(end - begin));
}

/* [base ... [aligned, size bytes] ... end] keeps its middle. */
static void *map_aligned(int64_t size) {
  char *base = map_pages(size + huge_page);
  if (!base)
    return NULL;
  char *end = base + size + huge_page;
  char *aligned =
      base + (huge_page - (int64_t)((uintptr_t)base % (uintptr_t)huge_page)) % huge_page;
  unmap(base, aligned);
  unmap(aligned + size, end);
  madvise(aligned, (size_t)size, MADV_HUGEPAGE);
  return aligned;
}

static void *move_mapping(void *block, int64_t old_size, int64_t new_size) {
  void *target = map_aligned(new_size);
  if (!target)
    return NULL;
  void *moved =
      mremap(block, (size_t)old_size, (size_t)new_size, MREMAP_MAYMOVE | MREMAP_FIXED, target);
  if (moved != MAP_FAILED)
    return moved;
  munmap(target, (size_t)new_size);
  return NULL;
}

/* Blocks that grew where others had been consist of several mappings, which do not move as one. */
static void *copy_mapping(void *block, int64_t old_size, int64_t new_size) {
  void *copy = map_aligned(new_size);
  if (!copy)
    return NULL;
  memcpy(copy, block, (size_t)(old_size < new_size ? old_size : new_size));
  munmap(block, (size_t)old_size);
  return copy;
}

static void *remap(void *block, int64_t old_size, int64_t new_size) {
  if (new_size == old_size)
    return block;
  if (mremap(block, (size_t)old_size, (size_t)new_size, 0) != MAP_FAILED)
    return block;
  void *moved = move_mapping(block, old_size, new_size);
  return moved ? moved : copy_mapping(block, old_size, new_size);
}

/* ---- Blocks ------------------------------------------------------------------------------- */

static void *out_of_memory(int64_t bytes) {
  lac_error_set(LAC_ERROR_MEMORY, "out of memory: %lld bytes cannot be allocated",
                (long long)bytes);
  return NULL;
}

static int64_t at_least_one(int64_t bytes) {
  return bytes > 0 ? bytes : 1;
}

/* What loops go through for long begins where a line does, or every other register of lanes would
 * be loaded from two lines and stored to two; what is small comes from what malloc keeps at hand
 * for each thread, which takes a quarter of the time. */
static void *allocate_unset(int64_t bytes) {
  enum { LINE = 64, SMALL = 4096 };
  return bytes < SMALL ? malloc((size_t)at_least_one(bytes))
                       : aligned_alloc(LINE, (size_t)((bytes + LINE - 1) & -LINE));
}

/* No C compiler may make a calloc of the two calls: glibc's does not look at what is at hand. */
static void *allocate_zeros(int64_t bytes) {
  void *volatile fresh = allocate_unset(bytes);
  void *block = fresh;
  return block ? memset(block, 0, (size_t)at_least_one(bytes)) : NULL;
}

static void *allocate_block(int64_t bytes, bool raw) {
  if (bytes < 0 || bytes > largest_block || !may_allocate())
    return out_of_memory(bytes);
  void *block = is_mapped(bytes) ? map_aligned(mapped_size(bytes))
                : raw            ? allocate_unset(bytes)
                                 : allocate_zeros(bytes);
  return block ? block : out_of_memory(bytes);
}

void *lac_memory_allocate(int64_t bytes) {
  return allocate_block(bytes, false);
}

void lac_memory_release(void *block, int64_t bytes) {
  if (block && is_mapped(bytes))
    munmap(block, (size_t)mapped_size(bytes));
  else
    free(block);
}

static void *resize_by_copy(void *block, int64_t old_bytes, int64_t new_bytes) {
  void *copy =
      is_mapped(new_bytes) ? map_aligned(mapped_size(new_bytes)) : allocate_unset(new_bytes);
  if (!copy)
    return NULL;
  memcpy(copy, block, (size_t)(old_bytes < new_bytes ? old_bytes : new_bytes));
  lac_memory_release(block, old_bytes);
  return copy;
}

static void zero_between(char *block, int64_t begin, int64_t end) {
  if (begin < end)
    memset(block + begin, 0, (size_t)(end - begin));
}

/* The part between the old end and the end of its last page may hold what was trimmed away. */
static void *resize_mapping(void *block, int64_t old_bytes, int64_t new_bytes) {
  int64_t old_size = mapped_size(old_bytes);
  void *resized = remap(block, old_size, mapped_size(new_bytes));
  if (resized)
    zero_between(resized, old_bytes, new_bytes < old_size ? new_bytes : old_size);
  return resized;
}

/* What realloc moves need not begin where a line does any more. */
static void *resize_small(void *block, int64_t old_bytes, int64_t new_bytes, bool raw) {
  void *resized = new_bytes <= old_bytes ? realloc(block, (size_t)at_least_one(new_bytes))
                                         : resize_by_copy(block, old_bytes, new_bytes);
  if (resized && !raw)
    zero_between(resized, old_bytes, new_bytes);
  return resized;
}

/* What is new is zero; anything, where it is raw. */
static void *resize_block(void *block, int64_t old_bytes, int64_t new_bytes, bool raw) {
  if (!block)
    return allocate_block(new_bytes, raw);
  if (new_bytes < 0 || new_bytes > largest_block || !may_allocate())
    return out_of_memory(new_bytes);
  void *resized = is_mapped(old_bytes) != is_mapped(new_bytes)
                      ? resize_by_copy(block, old_bytes, new_bytes)
                  : is_mapped(old_bytes) ? resize_mapping(block, old_bytes, new_bytes)
                                         : resize_small(block, old_bytes, new_bytes, raw);
  return resized ? resized : out_of_memory(new_bytes);
}

void *lac_memory_resize(void *block, int64_t old_bytes, int64_t new_bytes) {
  return resize_block(block, old_bytes, new_bytes, false);
}

int64_t lac_memory_bytes(int64_t count, int64_t width) {
  int64_t bytes;
  if (count < 0 || width < 0 || __builtin_mul_overflow(count, width, &bytes))
    return -1;
  return bytes;
}

/* ---- What the machine has ----------------------------------------------------------------- */

/* Linux maps more than there is and ends the process that touches it: large arrays are counted, so
 * that what cannot fit is refused instead. */
static const int64_t large_array = INT64_C(64) << 20;
static _Atomic int64_t held;

static int64_t counted(int64_t bytes) {
  return bytes >= large_array ? bytes : 0;
}

/* An array of `old_bytes` has become one of `new_bytes`. */
static void count_bytes(int64_t old_bytes, int64_t new_bytes) {
  int64_t more = counted(new_bytes) - counted(old_bytes);
  if (more != 0)
    atomic_fetch_add(&held, more);
}

static bool machine_has(int64_t old_bytes, int64_t new_bytes) {
  int64_t more = counted(new_bytes) - counted(old_bytes);
  return more <= 0 ||
         (more <= lac_machine_memory() - atomic_load(&held) && more <= lac_machine_free_memory());
}

static int32_t cannot_fit(int64_t bytes) {
  return lac_error_set(LAC_ERROR_MEMORY,
                       "out of memory: an array would take %lld bytes; this machine has %lld, %lld "
                       "of them free",
                       (long long)bytes, (long long)lac_machine_memory(),
                       (long long)lac_machine_free_memory());
}

void *lac_memory_allocate_whole(int64_t bytes) {
  if (bytes >= 0 && !machine_has(0, bytes)) {
    cannot_fit(bytes);
    return NULL;
  }
  return lac_memory_allocate(bytes);
}

/* ---- Devices ------------------------------------------------------------------------------ */

static int64_t array_bytes(const lac_array *array) {
  return array->capacity * array->width;
}

/* The array's memory is about to be another's: no device may take that for this. */
static void leave_devices(const lac_array *array) {
  if (lac_device_has_some())
    lac_device_leave(array->data, lac_memory_bytes(array->owned ? array->capacity : array->length,
                                                   array->width));
}

/* ---- Kept blocks -------------------------------------------------------------------------- */

static void release_array(lac_kept_for use, void *data, int64_t bytes) {
  if (data && is_mapped(bytes))
    lac_kept_offer(use, data, mapped_size(bytes));
  else if (data && bytes >= LAC_KEPT_LEAST)
    lac_kept_offer_allocated(use, data);
  else
    free(data);
}

/* A kept block that is not much larger than needed, with whatever stands in it; its size, of one
 * of malloc no more than needed. */
static void *fitting_kept(lac_kept_for use, int64_t bytes, int64_t *size) {
  *size = bytes;
  if (bytes < LAC_KEPT_LEAST || atomic_load(&allocations_left) == 0)
    return NULL;
  return is_mapped(bytes) ? lac_kept_take(use, mapped_size(bytes), 2 * mapped_size(bytes), size)
                          : lac_kept_take_allocated(use, bytes);
}

/* The largest kept block for so many bytes or more, mapped if they would be: what malloc gives may
 * be a little longer. */
static void *largest_kept(lac_kept_for use, int64_t bytes, int64_t *size) {
  if (is_mapped(bytes))
    return lac_kept_take_largest(use, mapped_size(bytes), size);
  void *block = bytes < LAC_KEPT_LEAST ? NULL : lac_kept_take_largest_allocated(use, bytes, size);
  if (block && is_mapped(*size))
    *size = huge_page - 1;
  return block;
}

/* An array goes on in a block of that size. */
static void go_on_in(lac_kept_for use, lac_array *array, void *block, int64_t size) {
  int64_t old_bytes = array_bytes(array);
  if (array->data)
    memcpy(block, array->data, (size_t)old_bytes);
  leave_devices(array);
  release_array(use, array->owned ? array->data : NULL, old_bytes);
  array->data = block;
  array->capacity = size / array->width;
  array->owned = 1;
  count_bytes(old_bytes, array_bytes(array));
}

/* What has little in it yet, in the largest kept block, all of it; what is to be zero, in one that
 * is not much larger than needed: to clear it takes less than fresh pages do. */
static bool grow_into_kept(lac_kept_for use, lac_array *array, int64_t bytes, bool raw) {
  enum { LITTLE = 16 << 20 };
  int64_t size, old_bytes = array_bytes(array);
  if (old_bytes > LITTLE || atomic_load(&allocations_left) == 0 || (!raw && !is_mapped(bytes)))
    return false;
  char *block = raw ? largest_kept(use, bytes, &size) : fitting_kept(use, bytes, &size);
  if (!block)
    return false;
  if (!raw)
    zero_between(block, old_bytes, size);
  go_on_in(use, array, block, size);
  return true;
}

/* Small enough to come from malloc, it goes on in what arrays have left, and leaves its own to
 * them; what is mapped goes back, or else the next result would be in what the next workspace grows
 * into. */
void *lac_memory_grow(void *block, int64_t old_bytes, int64_t new_bytes) {
  int64_t size;
  char *grown = is_mapped(new_bytes) ? NULL : fitting_kept(LAC_KEPT_FOR_ARRAYS, new_bytes, &size);
  if (grown)
    zero_between(grown, old_bytes, new_bytes);
  else
    grown = lac_memory_allocate_clean(new_bytes);
  if (!grown)
    return NULL;
  memcpy(grown, block, (size_t)old_bytes);
  lac_memory_leave(block, old_bytes);
  return grown;
}

void lac_memory_leave(void *block, int64_t bytes) {
  if (is_mapped(bytes))
    lac_memory_release(block, bytes);
  else
    release_array(LAC_KEPT_FOR_ARRAYS, block, bytes);
}

/* Small blocks are as soon zeroed as found. */
static bool is_worth_keeping(int64_t bytes) {
  return bytes >= 4096;
}

/* One of malloc that is not clean, to be cleared; what is mapped comes zero as it is touched. */
static void *clear_kept(int64_t bytes) {
  int64_t size;
  void *kept = is_mapped(bytes) ? NULL : fitting_kept(LAC_KEPT_FOR_ARRAYS, bytes, &size);
  return kept ? memset(kept, 0, (size_t)bytes) : NULL;
}

void *lac_memory_allocate_clean(int64_t bytes) {
  bool may_be_kept = is_worth_keeping(bytes) && atomic_load(&allocations_left) != 0;
  void *kept = may_be_kept ? lac_clean_take(bytes) : NULL;
  if (!kept)
    kept = clear_kept(bytes);
  return kept ? kept : lac_memory_allocate(bytes);
}

void lac_memory_release_clean(void *block, int64_t bytes) {
  if (block && is_worth_keeping(bytes))
    lac_clean_offer(block, bytes);
  else
    lac_memory_release(block, bytes);
}

/* ---- Arrays ------------------------------------------------------------------------------- */

static int32_t check_count(const lac_array *array, int64_t count) {
  if (array->width <= 0)
    return lac_error_set(LAC_ERROR_FORMAT,
                         "an array that its level does not use cannot be allocated");
  if (lac_memory_bytes(count, array->width) < 0)
    return lac_error_set(LAC_ERROR_MEMORY,
                         "out of memory: %llu elements of %d bytes cannot be allocated",
                         (unsigned long long)count, array->width);
  return LAC_OK;
}

static void free_array(lac_kept_for use, lac_array *array) {
  leave_devices(array);
  if (array->owned) {
    release_array(use, array->data, array_bytes(array));
    count_bytes(array_bytes(array), 0);
  }
  *array = (lac_array){.width = array->width};
}

void lac_array_free(lac_array *array) {
  free_array(LAC_KEPT_FOR_ARRAYS, array);
}
void lac_array_free_aside(lac_array *array) {
  free_array(LAC_KEPT_FOR_PIECES, array);
}

/* Of a kept block for so many bytes, what is beyond them is kept on. */
static void cut_kept(char *block, int64_t bytes, int64_t *size) {
  int64_t needed = is_mapped(bytes) ? mapped_size(bytes) : *size;
  if (needed < *size)
    lac_kept_offer(LAC_KEPT_FOR_ARRAYS, block + needed, *size - needed);
  *size = needed;
}

/* Memory that was kept is as it was: `*unset` bytes.  All of it is a raw array's; what another one
 * grows into is to be zero. */
static int32_t allocate(lac_kept_for use, lac_array *array, int64_t count, bool raw,
                        int64_t *unset) {
  int64_t size;
  *unset = 0;
  free_array(use, array);
  int32_t status = check_count(array, count);
  if (status != LAC_OK)
    return status;
  if (!machine_has(0, count * array->width))
    return cannot_fit(count * array->width);
  array->data = fitting_kept(use, count * array->width, &size);
  if (array->data && !raw)
    cut_kept(array->data, count * array->width, &size);
  if (array->data)
    *unset = count * array->width;
  else
    array->data = allocate_block(count * array->width, raw);
  if (!array->data)
    return LAC_ERROR_MEMORY;
  array->length = count;
  array->capacity = raw && size > count * array->width ? size / array->width : count;
  array->owned = 1;
  count_bytes(0, array_bytes(array));
  return LAC_OK;
}

int32_t lac_array_allocate(lac_array *array, int64_t count) {
  int64_t unset;
  int32_t status = allocate(LAC_KEPT_FOR_ARRAYS, array, count, false, &unset);
  if (unset > 0)
    memset(array->data, 0, (size_t)unset);
  return status;
}

int32_t lac_array_allocate_raw(lac_array *array, int64_t count) {
  int64_t unset;
  return allocate(LAC_KEPT_FOR_ARRAYS, array, count, true, &unset);
}

int32_t lac_array_allocate_unset(lac_array *array, int64_t count, int64_t *unset) {
  enum { LARGE = 1 << 20 };
  *unset = 0;
  if (lac_memory_bytes(count, array->width) < LARGE)
    return lac_array_allocate(array, count);
  int32_t status = allocate(LAC_KEPT_FOR_ARRAYS, array, count, false, unset);
  *unset /= array->width;
  return status;
}

static bool can_grow(const lac_array *array, int64_t capacity) {
  int64_t bytes = lac_memory_bytes(capacity, array->width);
  return bytes >= 0 && machine_has(array_bytes(array), bytes);
}

/* Twice as much, or an eighth more where the machine has no room for twice as much. */
static int64_t grown_capacity(const lac_array *array, int64_t needed) {
  enum { SMALLEST = 16 };
  if (needed < SMALLEST)
    needed = SMALLEST;
  for (int64_t divisor = 1; divisor <= 8; divisor *= 8) {
    int64_t capacity = array->capacity + array->capacity / divisor;
    if (capacity > needed && can_grow(array, capacity))
      return capacity;
  }
  return needed;
}

static int32_t resize_array(lac_array *array, int64_t capacity, bool raw) {
  if (!can_grow(array, capacity))
    return cannot_fit(capacity * array->width);
  leave_devices(array);
  void *data = resize_block(array->data, array_bytes(array), capacity * array->width, raw);
  if (!data)
    return LAC_ERROR_MEMORY;
  count_bytes(array_bytes(array), capacity * array->width);
  array->data = data;
  array->capacity = capacity;
  array->owned = 1;
  return LAC_OK;
}

/* More than growing would give: somebody knows how many there will be. */
static bool is_told(const lac_array *array, int64_t needed) {
  return needed / 2 > array->capacity && is_mapped(needed * array->width);
}

/* What is large from the beginning, or at once, is as large as it will be: a block that fits, not
 * the largest, which the next array may need. */
static int32_t become_large(lac_kept_for use, lac_array *array, int64_t count) {
  lac_array small = *array;
  int64_t unset;
  *array = (lac_array){.width = small.width};
  int32_t status = allocate(use, array, count, true, &unset);
  if (status != LAC_OK) {
    *array = small;
    return status;
  }
  if (small.capacity > 0)
    memcpy(array->data, small.data, (size_t)array_bytes(&small));
  array->length = small.length;
  free_array(use, &small);
  return LAC_OK;
}

/* Elements that are grown: zero; anything; anything, of an array of a piece. */
typedef enum grown { ZERO, RAW, ASIDE } grown;

static int32_t reserve(lac_array *array, int64_t needed, grown how) {
  if (needed <= array->capacity)
    return LAC_OK;
  if (array->data && !array->owned)
    return lac_error_set(LAC_ERROR_FORMAT, "an array that is lent cannot grow");
  int32_t status = check_count(array, needed);
  if (status != LAC_OK)
    return status;
  int64_t capacity = grown_capacity(array, needed);
  lac_kept_for use = how == ASIDE ? LAC_KEPT_FOR_PIECES : LAC_KEPT_FOR_ARRAYS;
  if (how != ZERO && is_told(array, needed))
    return become_large(use, array, needed);
  if (grow_into_kept(use, array, capacity * array->width, how != ZERO))
    return LAC_OK;
  if (how == ASIDE && !is_mapped(array_bytes(array)) && is_mapped(capacity * array->width))
    return become_large(use, array, capacity);
  return resize_array(array, capacity, how != ZERO);
}

int32_t lac_array_reserve(lac_array *array, int64_t needed) {
  return reserve(array, needed, ZERO);
}
int32_t lac_array_reserve_raw(lac_array *array, int64_t needed) {
  return reserve(array, needed, RAW);
}
int32_t lac_array_reserve_aside(lac_array *array, int64_t needed) {
  return reserve(array, needed, ASIDE);
}

/* What was mapped and is small now goes on in a block of malloc, and leaves its own to the next
 * array that grows; NULL where there is none. */
static void *shrink_mapped(void *data, int64_t old_bytes, int64_t bytes) {
  int64_t size;
  void *small = fitting_kept(LAC_KEPT_FOR_ARRAYS, bytes, &size);
  if (!small)
    small = allocate_block(bytes, true);
  if (!small)
    return NULL;
  memcpy(small, data, (size_t)bytes);
  release_array(LAC_KEPT_FOR_ARRAYS, data, old_bytes);
  return small;
}

/* A mapped block of which half is needed or more stays as it is, for the array after this one; the
 * rest is the system's, as soon as that runs short. */
static bool stays_mapped(const lac_array *array, int64_t bytes) {
  int64_t size = mapped_size(array_bytes(array)), needed = mapped_size(bytes);
  if (!is_mapped(array_bytes(array)) || bytes < array_bytes(array) / 2)
    return false;
  if (needed < size)
    madvise((char *)array->data + needed, (size_t)(size - needed), MADV_FREE);
  return true;
}

/* A trim that fails to shrink keeps the memory, and is no failure. */
void lac_array_trim(lac_array *array, int64_t count) {
  if (count < 0 || count > array->capacity)
    count = array->capacity;
  array->length = count;
  int64_t spare = (array->capacity - count) * array->width;
  if (!array->owned || spare < 4096 || spare < array_bytes(array) / 8 ||
      stays_mapped(array, count * array->width))
    return;
  int64_t bytes = count * array->width;
  leave_devices(array);
  void *data = is_mapped(array_bytes(array)) && !is_mapped(bytes)
                   ? shrink_mapped(array->data, array_bytes(array), bytes)
                   : lac_memory_resize(array->data, array_bytes(array), bytes);
  if (data) {
    count_bytes(array_bytes(array), bytes);
    array->data = data;
    array->capacity = count;
  }
}
