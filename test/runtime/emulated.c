// The emulated device: what threads know and meet at, in every order that a seed gives; and what it
// finds: races, accesses out of bounds, threads that wait for each other at different places.
// RUN: %cc -g -O1 %s %runtime -o %t && %t | FileCheck %s
// CHECK: all passed
#define _POSIX_C_SOURCE 200809L
#include "device.h"

#include <stdlib.h>

enum { THREADS = 96, BLOCKS = 7, ALL = THREADS * BLOCKS, ALL_LANES = -1 };

static int64_t number(void) {
  return lac_emulated_block() * lac_emulated_threads() + lac_emulated_thread();
}

static int32_t first_lanes(int count) {
  return (int32_t)((UINT64_C(1) << count) - 1);
}

static bool may_write(const void *at, int64_t bytes) {
  return lac_emulated_writes(at, bytes, 0);
}

/* ---- Threads ------------------------------------------------------------------------------ */

static int order[ALL], done;

static void write_numbers(void **arguments) {
  int32_t *out = ARRAY(int32_t, 0) + number();
  order[done++] = (int)number();
  if (may_write(out, 4))
    *out = (int32_t)(number() + lac_emulated_blocks());
}

static void each_thread_runs_once(void) {
  static int32_t out[ALL];
  done = 0;
  CHECK(launch("numbers", write_numbers, BLOCKS, THREADS, 0,
               (host_array[MOST_ARRAYS]){{out, sizeof out, WRITES}}) == LAC_OK);
  CHECK(done == ALL);
  for (int i = 0; i < ALL; i++)
    CHECK(out[i] == i + BLOCKS);
}

static void the_seed_shuffles(void) {
  int first[ALL], differ = 0;
  each_thread_runs_once();
  memcpy(first, order, sizeof first);
  setenv("LACUNA_EMULATED_SEED", "17", 1);
  each_thread_runs_once();
  for (int i = 0; i < ALL; i++)
    differ += first[i] != order[i];
  CHECK(differ > ALL / 2);
  unsetenv("LACUNA_EMULATED_SEED");
}

static void many_blocks_of_one_thread(void) {
  enum { MANY = 10000 };
  int32_t *out = calloc(MANY, sizeof *out);
  int32_t status = 0;
  lac_device_code *kernel = lac_device_kernel("numbers", NULL, 0, write_numbers, &status);
  void *at = lac_device_array(out, MANY * 4, WRITES, &status);
  done = 0;
  for (int part = 0; part < MANY / ALL; part++, done = 0)
    lac_device_launch(kernel, ALL, 1, 0, (void *[]){&at}, &status);
  lac_device_finish(&status);
  CHECK(status == LAC_OK && out[0] == ALL && out[ALL - 1] == 2 * ALL - 1);
  free(out);
}

/* ---- Meetings ----------------------------------------------------------------------------- */

/* Each thread takes what its neighbour has put into the memory that the block shares. */
static void pass_on(void **arguments) {
  int64_t self = lac_emulated_thread(), count = lac_emulated_threads();
  int64_t *shared = lac_emulated_shared(), *out = ARRAY(int64_t, 0) + number();
  int64_t own = number();
  for (int round = 0; round < 5; round++) {
    if (lac_emulated_writes(&shared[self], 8, 0))
      shared[self] = own;
    lac_emulated_barrier();
    if (lac_emulated_reads(&shared[(self + 1) % count], 8, 0))
      own = shared[(self + 1) % count];
    lac_emulated_barrier();
  }
  if (may_write(out, 8))
    *out = own;
}

static void barriers_order_shared_memory(void) {
  static int64_t out[ALL];
  CHECK(launch("pass", pass_on, BLOCKS, THREADS, THREADS * 8,
               (host_array[MOST_ARRAYS]){{out, sizeof out, WRITES}}) == LAC_OK);
  for (int64_t i = 0; i < ALL; i++)
    CHECK(out[i] == i / THREADS * THREADS + (i % THREADS + 5) % THREADS);
}

static int32_t mode, by, width;

static void shuffle_numbers(void **arguments) {
  int64_t *out = ARRAY(int64_t, 0) + number();
  int64_t got = -1;
  if (lac_emulated_thread() % 32 < width)
    got = lac_emulated_shuffle(number() << 33, mode, by, first_lanes(width));
  if (may_write(out, 8))
    *out = got;
}

static int64_t lane_taken(int64_t lane, int64_t lanes) {
  int64_t from = mode == LAC_SHUFFLE_XOR    ? lane ^ by
                 : mode == LAC_SHUFFLE_UP   ? lane - by
                 : mode == LAC_SHUFFLE_DOWN ? lane + by
                                            : by;
  return from >= 0 && from < lanes ? from : lane;
}

static void check_shuffle(int64_t threads) {
  int64_t out[80];
  CHECK(launch("shuffle", shuffle_numbers, 1, threads, 0,
               (host_array[MOST_ARRAYS]){{out, 8 * threads, WRITES}}) == LAC_OK);
  for (int64_t i = 0; i < threads; i++) {
    int64_t first = i / 32 * 32, left = threads - first, lanes = left < width ? left : width;
    CHECK(out[i] == (i - first >= width ? -1 : (first + lane_taken(i - first, lanes)) << 33));
  }
}

static void shuffles_take_from_their_lane(void) {
  for (mode = LAC_SHUFFLE_XOR; mode <= LAC_SHUFFLE_IDX; mode++)
    for (width = 1; width <= 32; width *= 2)
      for (by = 0; by < 32; by += by < 4 ? 1 : 9)
        check_shuffle(80);
}

/* The first eight lanes shuffle while the others wait at what comes next. */
static void shuffle_then_meet(void **arguments) {
  int64_t *out = ARRAY(int64_t, 0) + number();
  int64_t got = number();
  for (int round = 0; round < 3; round++) {
    if (lac_emulated_thread() % 32 < 8)
      got = lac_emulated_shuffle(got, LAC_SHUFFLE_XOR, 1, first_lanes(8));
    lac_emulated_warp_barrier(ALL_LANES);
    if (lac_emulated_thread() % 32 < 4)
      got = lac_emulated_shuffle(got, LAC_SHUFFLE_DOWN, 1, first_lanes(4));
    lac_emulated_barrier();
  }
  if (may_write(out, 8))
    *out = got;
}

static void a_shuffle_waits_for_its_lanes_alone(void) {
  int64_t out[80];
  for (int i = 0; i < 10; i++)
    CHECK(launch("meet", shuffle_then_meet, 1, 80, 0,
                 (host_array[MOST_ARRAYS]){{out, sizeof out, WRITES}}) == LAC_OK);
  for (int64_t i = 0; i < 80; i++)
    CHECK(i % 32 < 4 || out[i] == (i % 32 < 8 ? i ^ 1 : i));
}

/* Groups of eight lanes go around as often as their number says, and add up their own. */
static void add_up_groups(void **arguments) {
  int64_t *out = ARRAY(int64_t, 0) + number();
  int32_t lanes = first_lanes(8) << lac_emulated_thread() % 32 / 8 * 8;
  int64_t got = 0;
  for (int64_t i = 0; i <= lac_emulated_thread() % 32 / 8; i++) {
    got += number();
    for (int32_t step = 4; step > 0; step /= 2)
      got += lac_emulated_shuffle(got, LAC_SHUFFLE_XOR, step, lanes);
    lac_emulated_warp_barrier(lanes);
  }
  if (may_write(out, 8))
    *out = got;
}

static int64_t group_sum(int64_t self) {
  int64_t sum = 0, first = self / 8 * 8;
  for (int64_t i = 0; i <= self % 32 / 8; i++)
    sum = 8 * sum + 8 * first + 28;
  return sum;
}

static void groups_of_lanes_meet_apart(void) {
  int64_t out[64];
  CHECK(launch("groups", add_up_groups, 1, 64, 0,
               (host_array[MOST_ARRAYS]){{out, sizeof out, WRITES}}) == LAC_OK);
  for (int64_t i = 0; i < 64; i++)
    CHECK(out[i] == group_sum(i));
}

static void vote_for_odd(void **arguments) {
  int32_t *out = ARRAY(int32_t, 0) + number();
  int32_t set = lac_emulated_ballot(lac_emulated_thread() % 2);
  if (may_write(out, 4))
    *out = set;
}

static void ballots_give_a_set(void) {
  int32_t out[40];
  CHECK(launch("vote", vote_for_odd, 1, 40, 0,
               (host_array[MOST_ARRAYS]){{out, sizeof out, WRITES}}) == LAC_OK);
  for (int i = 0; i < 40; i++)
    CHECK(out[i] == (i < 32 ? (int32_t)0xaaaaaaaa : 0xaa));
}

/* Rows of a matrix are added up by a warp each, and the warps' sums atomically. */
static void sum_up(void **arguments) {
  double *in = ARRAY(double, 0), *out = ARRAY(double, 1);
  double sum = 0;
  for (int64_t i = number(); i < 1000; i += lac_emulated_threads() * lac_emulated_blocks())
    if (lac_emulated_reads(&in[i], 8, 0))
      sum += in[i];
  for (int32_t step = 16; step > 0; step /= 2) {
    int64_t bits;
    double other;
    memcpy(&bits, &sum, 8);
    bits = lac_emulated_shuffle(bits, LAC_SHUFFLE_XOR, step, ALL_LANES);
    memcpy(&other, &bits, 8);
    sum += other;
  }
  if (lac_emulated_thread() % 32 == 0 && lac_emulated_updates(out, 8, 0))
    *out += sum;
}

static void a_sum_by_warps(void) {
  double in[1000], out = 1;
  for (int i = 0; i < 1000; i++)
    in[i] = i;
  CHECK(launch("sum", sum_up, 3, 64, 0,
               (host_array[MOST_ARRAYS]){{in, sizeof in, READS}, {&out, 8, READS | WRITES}}) == 0);
  CHECK(out == 1 + 999 * 500);
}

/* ---- Divergence --------------------------------------------------------------------------- */

static void wait_but_one(void **arguments) {
  (void)arguments;
  if (lac_emulated_thread() != 5)
    lac_emulated_barrier();
}

static void wait_apart(void **arguments) {
  (void)arguments;
  if (lac_emulated_thread() < 40)
    lac_emulated_barrier();
  else
    lac_emulated_warp_barrier(ALL_LANES);
}

static void vote_or_shuffle(void **arguments) {
  (void)arguments;
  if (lac_emulated_thread() == 3)
    lac_emulated_ballot(true);
  else
    lac_emulated_shuffle(0, LAC_SHUFFLE_XOR, 1, ALL_LANES);
}

static void shuffle_among_others(void **arguments) {
  (void)arguments;
  lac_emulated_shuffle(0, LAC_SHUFFLE_DOWN, 1, first_lanes(8));
}

static void leave_warp(void **arguments) {
  (void)arguments;
  if (lac_emulated_thread() % 32 != 31)
    lac_emulated_warp_barrier(ALL_LANES);
}

static const host_array none[MOST_ARRAYS];

static void threads_that_never_come_are_named(void) {
  for (int i = 0; i < 20; i++) {
    CHECK(launch("but-one", wait_but_one, 2, 64, 0, none) == LAC_ERROR_DEVICE);
    CHECK_MESSAGE("kernel 'but-one', block ");
    CHECK_MESSAGE("waits at a barrier, and thread 5 has ended");
    CHECK(launch("apart", wait_apart, 1, 64, 0, none) == LAC_ERROR_DEVICE);
    CHECK_MESSAGE(" at a barrier");
    CHECK(launch("vote-or-shuffle", vote_or_shuffle, 1, 32, 0, none) == LAC_ERROR_DEVICE);
    CHECK_MESSAGE("a ballot");
    CHECK_MESSAGE("a shuffle");
    CHECK(launch("leave", leave_warp, 1, 64, 0, none) == LAC_ERROR_DEVICE);
    CHECK_MESSAGE("waits at a barrier of its warp, and thread ");
    CHECK(launch("width", shuffle_among_others, 1, 32, 0, none) == LAC_ERROR_DEVICE);
    CHECK_MESSAGE("shuffles with the lanes 0xff, among which it is not");
    a_sum_by_warps();
  }
}

/* ---- Races -------------------------------------------------------------------------------- */

typedef enum touch { READ, WRITE, UPDATE } touch;
static touch first_touch, second_touch;
static int64_t first_thread, second_thread, first_block, second_block;
static int64_t first_at, second_at, first_bytes, second_bytes;
static enum { NO_BARRIER, BLOCK_BARRIER, WARP_BARRIER, GROUP_BARRIER } between;

static void touch_bytes(touch how, char *at, int64_t bytes) {
  CHECK(how == READ    ? lac_emulated_reads(at, bytes, 0)
        : how == WRITE ? lac_emulated_writes(at, bytes, 0)
                       : lac_emulated_updates(at, bytes, 0));
}

static void touch_twice(void **arguments) {
  char *bytes = lac_emulated_shared() ? lac_emulated_shared() : ARRAY(char, 0);
  if (lac_emulated_thread() == first_thread && lac_emulated_block() == first_block)
    touch_bytes(first_touch, bytes + first_at, first_bytes);
  if (between == BLOCK_BARRIER)
    lac_emulated_barrier();
  if (between == WARP_BARRIER)
    lac_emulated_warp_barrier(ALL_LANES);
  if (between == GROUP_BARRIER)
    lac_emulated_warp_barrier(first_lanes(8) << lac_emulated_thread() % 32 / 8 * 8);
  if (lac_emulated_thread() == second_thread && lac_emulated_block() == second_block)
    touch_bytes(second_touch, bytes + second_at, second_bytes);
}

static int32_t touches(int64_t shared) {
  char bytes[64] = {0};
  return launch("touch", touch_twice, 2, 64, shared,
                (host_array[MOST_ARRAYS]){{bytes, sizeof bytes, READS | WRITES}});
}

static void set_touches(int64_t thread, int64_t block, int64_t at, int64_t bytes) {
  first_thread = first_block = 0;
  first_at = 8;
  first_bytes = 8;
  second_thread = thread;
  second_block = block;
  second_at = at;
  second_bytes = bytes;
}

/* Whether these two race, in all kinds of accesses; found whatever comes first. */
static void check_touches(bool in_order, int64_t shared) {
  for (first_touch = READ; first_touch <= UPDATE; first_touch++)
    for (second_touch = READ; second_touch <= UPDATE; second_touch++)
      for (int i = 0; i < 4; i++) {
        bool fine = in_order || (first_touch == READ && second_touch == READ) ||
                    (first_touch == UPDATE && second_touch == UPDATE);
        CHECK(touches(shared) == (fine ? LAC_OK : LAC_ERROR_DEVICE));
        if (!fine)
          CHECK_MESSAGE(" with no barrier in between");
      }
}

static void races_are_found_where_no_barrier_parts(void) {
  for (int64_t shared = 0; shared <= 64; shared += 64) {
    between = NO_BARRIER;
    set_touches(1, 0, 8, 8);
    check_touches(false, shared);
    set_touches(1, 0, 15, 1);
    check_touches(false, shared);
    set_touches(1, 0, 16, 8);
    check_touches(true, shared);
    set_touches(1, 0, 7, 1);
    check_touches(true, shared);
    set_touches(0, 0, 8, 8);
    check_touches(true, shared);
    between = BLOCK_BARRIER;
    set_touches(50, 0, 8, 8);
    check_touches(true, shared);
    set_touches(50, 1, 8, 8);
    check_touches(shared, shared);
    between = WARP_BARRIER;
    set_touches(30, 0, 8, 8);
    check_touches(true, shared);
    set_touches(50, 0, 8, 8);
    check_touches(false, shared);
    between = GROUP_BARRIER;
    set_touches(7, 0, 8, 8);
    check_touches(true, shared);
    set_touches(8, 0, 8, 8);
    check_touches(false, shared);
  }
}

/* All read what a thread of the last warp writes. */
static void read_then_write(void **arguments) {
  int32_t *at = ARRAY(int32_t, 0);
  lac_emulated_reads(at, 4, 0);
  lac_emulated_warp_barrier(ALL_LANES);
  if (lac_emulated_thread() == 63)
    lac_emulated_writes(at, 4, 0);
}

static void a_race_with_one_of_many_readers(void) {
  int32_t word = 0;
  for (int i = 0; i < 10; i++) {
    CHECK(launch("readers", read_then_write, 1, 64, 0,
                 (host_array[MOST_ARRAYS]){{&word, 4, READS | WRITES}}) == LAC_ERROR_DEVICE);
    CHECK_MESSAGE("kernel 'readers': thread ");
    CHECK_MESSAGE(" of block 0 ");
    CHECK_MESSAGE(" byte 0 of array 1 of the launch, which has 4 bytes, which thread ");
  }
}

/* ---- Places ------------------------------------------------------------------------------- */

static int64_t offset;
static char *elsewhere;
static const double constants[2] = {1, 2};

static void read_at_offset(void **arguments) {
  lac_emulated_reads(ARRAY(char, 0) + offset, 8, 0);
}

static void write_at_offset(void **arguments) {
  lac_emulated_writes(ARRAY(char, 0) + offset, 8, 0);
}

static void write_shared(void **arguments) {
  (void)arguments;
  lac_emulated_writes((char *)lac_emulated_shared() + offset, 8, 0);
}

/* Kernels are not instrumented, whatever the test is: what is theirs is on their stack. */
__attribute__((no_sanitize("address"))) static void touch_elsewhere(void **arguments) {
  char own[16];
  (void)arguments;
  CHECK(lac_emulated_writes(own, sizeof own, 0));
  CHECK(lac_emulated_updates(own, sizeof own, 0));
  CHECK(lac_emulated_reads(constants, sizeof constants, 0));
  lac_emulated_reads(elsewhere, 8, 0);
}

static void write_constants(void **arguments) {
  (void)arguments;
  lac_emulated_writes(constants, 8, 0);
}

static void accesses_outside_are_refused(void) {
  double array[10] = {0};
  host_array reads[MOST_ARRAYS] = {{array, sizeof array, READS}};
  static const int64_t outside[] = {-1, -8, 73, 80, 4000, -60000};
  for (size_t i = 0; i < sizeof outside / sizeof outside[0]; i++) {
    char part[160];
    offset = outside[i];
    CHECK(launch("outside", read_at_offset, 1, 1, 0, reads) == LAC_ERROR_DEVICE);
    snprintf(
        part, sizeof part,
        "thread 0 of block 0 reads 8 bytes at byte %lld of array 1 of the launch, which has 80 "
        "bytes",
        (long long)offset);
    CHECK_MESSAGE(part);
    CHECK(launch("shared", write_shared, 1, 1, 80, none) == LAC_ERROR_DEVICE);
    CHECK_MESSAGE("of the 80 bytes that its block shares");
  }
  offset = 72;
  CHECK(launch("inside", read_at_offset, 1, 1, 0, reads) == LAC_OK);
  CHECK(launch("inside", write_shared, 1, 1, 80, none) == LAC_OK);
  CHECK(launch("only read", write_at_offset, 1, 1, 0, reads) == LAC_ERROR_DEVICE);
  CHECK_MESSAGE("and for which it asked to be read");
}

static void what_is_not_on_the_device_is_refused(void) {
  static char variable[8];
  char local[8];
  elsewhere = (char *)constants;
  CHECK(launch("constants", touch_elsewhere, 1, 4, 0, none) == LAC_OK);
  char *const places[] = {variable, local, (char *)16};
  for (int i = 0; i < 3; i++) {
    elsewhere = places[i];
    CHECK(launch("elsewhere", touch_elsewhere, 1, 4, 0, none) == LAC_ERROR_DEVICE);
    CHECK_MESSAGE("which is not on the device");
  }
  CHECK(launch("constants", write_constants, 1, 1, 0, none) == LAC_ERROR_DEVICE);
}

int main(void) {
  each_thread_runs_once();
  the_seed_shuffles();
  many_blocks_of_one_thread();
  barriers_order_shared_memory();
  shuffles_take_from_their_lane();
  a_shuffle_waits_for_its_lanes_alone();
  groups_of_lanes_meet_apart();
  ballots_give_a_set();
  a_sum_by_warps();
  threads_that_never_come_are_named();
  races_are_found_where_no_barrier_parts();
  a_race_with_one_of_many_readers();
  accesses_outside_are_refused();
  what_is_not_on_the_device_is_refused();
  return report();
}
