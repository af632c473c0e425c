/* lac_threads.c - how many threads a kernel runs on, which its caller says when it runs. */
#include "lac_kernel.h"
#include "lac_setting.h"

enum {
  FROM_USUALLY = 1 << 16,
  PARTS_MOST = 256,
  VISITS_OF_A_PART = 1 << 11,
  PIECES_OF_A_THREAD = 8,
  LEAST_VISITS_OF_A_PIECE = 1 << 18,
  VISITS_OF_A_TURN = 1 << 14,
  MOST_TURNS = 1023
};

static _Thread_local int32_t wanted;
static _Thread_local int64_t expected = INT64_MAX; /* visits of the loop that comes */
static _Thread_local int64_t most_threads;         /* that there are copies for; 0 for any */
static lac_setting from = {"LACUNA_THREADS_FROM", -1};

void lac_threads_set(int32_t count) {
  wanted = count < 0 ? 0 : count;
}

int32_t lac_threads(void) {
  return wanted;
}

void lac_threads_set_from(int64_t visits) {
  lac_setting_set(&from, visits);
}

int64_t lac_threads_from(void) {
  return lac_setting_get(&from, FROM_USUALLY);
}

void lac_kernel_visits(int64_t visits) {
  expected = visits;
}

void lac_kernel_threads_most(int64_t count) {
  most_threads = count;
}

bool lac_kernel_several(void) {
  return expected >= lac_threads_from();
}

static int32_t threads_expected(int32_t most) {
  int32_t count = !lac_kernel_several() ? 1 : wanted ? wanted : most;
  return most_threads && most_threads < count ? (int32_t)most_threads : count;
}

int32_t lac_kernel_threads(int32_t most) {
  int32_t count = threads_expected(most);
  expected = INT64_MAX;
  return count;
}

int64_t lac_kernel_parts_count(void) {
  int64_t worth = expected / VISITS_OF_A_PART;
  return worth < 1 ? 1 : worth < PARTS_MOST ? worth : PARTS_MOST;
}

/* Not so small that they are made and joined at more cost than they save. */
int64_t lac_kernel_pieces_count(int32_t most) {
  int64_t visits = expected, threads = threads_expected(most);
  int64_t worth = visits / LEAST_VISITS_OF_A_PIECE, many = threads * PIECES_OF_A_THREAD;
  return threads == 1 ? 1 : worth < threads ? threads : worth < many ? worth : many;
}

int64_t lac_kernel_turns_count(int32_t most) {
  int64_t visits = expected, threads = threads_expected(most), worth = visits / VISITS_OF_A_TURN;
  return threads == 1 ? 1 : worth < threads ? threads : worth < MOST_TURNS ? worth : MOST_TURNS;
}

int64_t lac_kernel_shares_count(int32_t most, int64_t parents) {
  int64_t visits = expected, threads = threads_expected(most);
  int64_t worth = visits / (parents > 0 ? parents : 1);
  return worth < 1 ? 1 : worth < threads ? worth : threads;
}

int64_t lac_kernel_copies_count(int32_t most) {
  return threads_expected(most);
}

int64_t lac_kernel_copies_worth(int64_t most, int64_t visits) {
  int64_t worth = visits > 0 ? expected / visits : most;
  return worth < most && lac_threads_from() ? worth + 1 : most;
}

int32_t lac_kernel_threads_begin(int32_t count) {
  int32_t before = wanted;
  if (!before)
    wanted = count;
  return before;
}
