// What the emulated device counts, of kernels of which it is known by hand.
// RUN: %cc -g -O1 %s %runtime -o %t && %t | FileCheck %s
// CHECK: all passed
#include "device.h"
#include "lac_emulated_counts.h"

enum { BLOCK = 64, ELEMENTS = 4096 };

static double in[ELEMENTS], out[ELEMENTS];

static int64_t number(void) {
  return lac_emulated_block() * lac_emulated_threads() + lac_emulated_thread();
}

static double read_at(const double *at, int32_t site) {
  return lac_emulated_reads(at, 8, site) ? *at : 0;
}

/* What a launch of so many blocks comes to. */
static lac_launch_counts count(void (*entry)(void **), int64_t blocks, int64_t shared) {
  lac_emulated_counts_begin();
  CHECK(launch("counted", entry, blocks, BLOCK, shared,
               (host_array[MOST_ARRAYS]){{in, sizeof in, READS},
                                         {out, sizeof out, READS | WRITES}}) == LAC_OK);
  lac_emulated_counts_end();
  CHECK(lac_emulated_counts_launches() == 1);
  return lac_emulated_counts_of(0);
}

/* ---- Requests ----------------------------------------------------------------------------- */

static int64_t stride, shift;

static void read_strided(void **arguments) {
  read_at(ARRAY(double, 0) + number() * stride + shift, 0);
}

static lac_launch_counts count_strided(int64_t by, int64_t from) {
  stride = by;
  shift = from;
  return count(read_strided, 2, 0);
}

/* 128 threads, 4 warps of 32 lanes; 4 numbers in a sector. */
static void sectors_follow_from_strides(void) {
  lac_launch_counts c = count_strided(1, 0);
  CHECK(strcmp(c.kernel, "counted") == 0 && c.blocks == 2 && c.threads == BLOCK && c.warps == 4);
  CHECK(c.reads == 128 && c.writes == 0 && c.atomics == 0 && c.bytes == 1024);
  CHECK(c.requests == 4 && c.asked == 1024 && c.sectors == 32 && c.least == 32);
  CHECK(c.sectors_of_blocks == 32 && c.sectors_of_launch == 32);
  c = count_strided(1, 1);
  CHECK(c.sectors == 36 && c.sectors_of_blocks == 34 && c.sectors_of_launch == 33);
  c = count_strided(4, 0);
  CHECK(c.requests == 4 && c.asked == 1024 && c.sectors == 128 && c.least == 32);
  c = count_strided(0, 5);
  CHECK(c.reads == 128 && c.bytes == 1024 && c.asked == 32);
  CHECK(c.sectors == 4 && c.least == 4 && c.sectors_of_blocks == 2 && c.sectors_of_launch == 1);
}

/* Lane n reads n + 1 numbers, of its own and in its own time: what lanes read in step is counted
 * together, though each of them runs by itself. */
static void read_triangle(void **arguments) {
  int64_t lane = lac_emulated_thread() % 32;
  for (int64_t i = 0; i <= lane; i++)
    read_at(ARRAY(double, 0) + i * 32 + lane, 0);
  read_at(ARRAY(double, 0), 1);
}

static void lanes_run_in_step(void) {
  lac_launch_counts c = count(read_triangle, 1, 0);
  CHECK(c.reads == 2 * (32 * 33 / 2 + 32));
  CHECK(c.requests == 2 * (32 + 1));
  /* Lanes i to 31 read in step i: 8 sectors for 0 to 3, 7 for 4 to 7, ... 1 for 28 to 31. */
  CHECK(c.sectors == 2 * (4 * (8 + 7 + 6 + 5 + 4 + 3 + 2 + 1) + 1));
  CHECK(c.steps == 66 && c.longest == 33 && lac_launch_imbalance(&c) == 1);
}

/* Lane 0 comes to the access once more before all meet: what comes after is in step again. */
static void read_and_meet(void **arguments) {
  int64_t lane = lac_emulated_thread() % 32;
  for (int64_t i = 0; i < (lane == 0 ? 2 : 1); i++)
    read_at(ARRAY(double, 0) + lane, 0);
  lac_emulated_ballot(true);
  read_at(ARRAY(double, 0) + lane, 0);
}

static void meetings_bring_lanes_in_step(void) {
  lac_launch_counts c = count(read_and_meet, 1, 0);
  CHECK(c.requests == 2 * 3 && c.sectors == 2 * (8 + 1 + 8));
  CHECK(c.ballots == 2 && c.steps == 2 * 4);
}

/* ---- Kinds -------------------------------------------------------------------------------- */

static void add_up(void **arguments) {
  double *shared = lac_emulated_shared(), *sum = ARRAY(double, 1);
  int64_t self = lac_emulated_thread();
  if (lac_emulated_writes(&shared[self], 8, 0))
    shared[self] = 1;
  lac_emulated_barrier();
  double own = read_at(&shared[BLOCK - 1 - self], 1);
  lac_emulated_shuffle(0, LAC_SHUFFLE_XOR, 1, -1);
  lac_emulated_warp_barrier(-1);
  if (lac_emulated_updates(sum, 8, 2))
    *sum += own;
  if (self == 0 && lac_emulated_writes(&sum[1], 8, 3))
    sum[1] = own;
}

static void kinds_are_told_apart(void) {
  lac_launch_counts c = count(add_up, 1, BLOCK * 8);
  CHECK(c.reads == 0 && c.writes == 1 && c.atomics == BLOCK && c.bytes == 8 * (BLOCK + 1));
  CHECK(c.requests == 3 && c.sectors == 3 && c.asked == 24 && c.sectors_of_launch == 1);
  CHECK(c.shared == 4 && c.barriers == 1 && c.warp_barriers == 2 && c.shuffles == 2);
  /* A warp: two of shared memory, a barrier, a shuffle, another barrier, an atomic; the first one
   * writes as well. */
  CHECK(c.steps == 2 * 6 + 1 && c.longest == 7);
}

/* Two halves of a warp that shuffle apart do so in one step. */
static void shuffle_halves(void **arguments) {
  (void)arguments;
  bool upper = lac_emulated_thread() % 32 >= 16;
  lac_emulated_shuffle(0, LAC_SHUFFLE_XOR, 1, upper ? (int32_t)0xffff0000 : 0xffff);
}

static void parts_of_a_warp_count_together(void) {
  lac_launch_counts c = count(shuffle_halves, 1, 0);
  CHECK(c.shuffles == 2 && c.steps == 2 && c.longest == 1);
}

/* ---- Balance ------------------------------------------------------------------------------ */

/* The first warp reads 9 times, each of the 3 others once: 3 on average. */
static void read_unevenly(void **arguments) {
  for (int64_t i = 0; i < (number() < 32 ? 9 : 1); i++)
    read_at(ARRAY(double, 0) + i * 32 + number() % 32, 0);
}

static void the_longest_warp_is_known(void) {
  lac_launch_counts c = count(read_unevenly, 2, 0);
  CHECK(c.steps == 12 && c.longest == 9 && lac_launch_imbalance(&c) == 3);
}

/* ---- Launches ----------------------------------------------------------------------------- */

static void launches_are_counted_apart_and_together(void) {
  stride = 1;
  shift = 0;
  lac_emulated_counts_begin();
  for (int blocks = 1; blocks <= 2; blocks++)
    CHECK(launch("counted", read_strided, blocks, BLOCK, 0,
                 (host_array[MOST_ARRAYS]){{in, sizeof in, READS}, {out, 8, READS}}) == LAC_OK);
  lac_emulated_counts_end();
  CHECK(lac_emulated_counts_launches() == 2);
  CHECK(lac_emulated_counts_of(0).sectors == 16 && lac_emulated_counts_of(1).sectors == 32);
  lac_launch_counts all = lac_emulated_counts_total();
  CHECK(all.sectors == 48 && all.blocks == 3 && all.threads == BLOCK && all.requests == 6);
}

static void nothing_is_counted_unasked(void) {
  lac_emulated_counts_begin();
  lac_emulated_counts_end();
  stride = 1;
  CHECK(launch("counted", read_strided, 1, BLOCK, 0,
               (host_array[MOST_ARRAYS]){{in, sizeof in, READS}, {out, 8, READS}}) == LAC_OK);
  CHECK(lac_emulated_counts_launches() == 0 && lac_emulated_counts_total().requests == 0);
  lac_launch_counts none = lac_emulated_counts_total();
  CHECK(lac_launch_imbalance(&none) == 1);
}

int main(void) {
  sectors_follow_from_strides();
  lanes_run_in_step();
  meetings_bring_lanes_in_step();
  kinds_are_told_apart();
  parts_of_a_warp_count_together();
  the_longest_warp_is_known();
  launches_are_counted_apart_and_together();
  nothing_is_counted_unasked();
  return report();
}
