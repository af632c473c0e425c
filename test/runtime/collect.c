// Numbering the coordinates noted under parents: in any order, again and again, without memory.
// RUN: %cc -g -O1 %s %runtime -o %t && %t | FileCheck %s
// CHECK: all passed
#include "check.h"
#include "lac_kernel.h"
#include "lac_memory.h"

enum { PARENTS = 40, COORDINATES = 30, NOTES = 1500 };

static int64_t at(int64_t i, bool ascending) {
  return ascending ? i * PARENTS / NOTES : i * 7919 % 104729 % (PARENTS - 3);
}

static void note(lac_collected *c, bool ascending, int32_t *status,
                 bool there[PARENTS][COORDINATES]) {
  for (int64_t i = 0; i < NOTES; i++) {
    int64_t coordinate = i * i % 65537 % COORDINATES;
    lac_kernel_collect(c, at(i, ascending), coordinate, status);
    there[at(i, ascending)][coordinate] = true;
  }
}

static void each_is_numbered_once(bool ascending) {
  static bool there[PARENTS][COORDINATES];
  lac_collected c = {0};
  int32_t status = 0;
  int64_t number = 0;
  memset(there, 0, sizeof there);
  note(&c, ascending, &status, there);
  int64_t count = lac_kernel_collected(&c, PARENTS, &status);
  for (int p = 0; p < PARENTS; p++) {
    for (int i = 0; i < COORDINATES; i++)
      if (there[p][i])
        CHECK(number < count && c.coordinates[number++] == i);
    CHECK(c.ends[p] == number);
  }
  CHECK(status == 0 && number == count);
  lac_kernel_collected_free(&c);
}

static void nothing_is_numbered(void) {
  lac_collected c = {0};
  int32_t status = 0;
  CHECK(lac_kernel_collected(&c, 3, &status) == 0 && status == 0 && c.ends[2] == 0);
  lac_kernel_collected_free(&c);
  lac_kernel_collected_free(NULL);
}

static void without_memory_the_status_says_so(void) {
  static bool there[PARENTS][COORDINATES];
  for (int allowed = 0; allowed < 8; allowed++) {
    lac_collected c = {0};
    int32_t status = 0;
    lac_test_fail_allocation_after(allowed);
    note(&c, false, &status, there);
    CHECK(lac_kernel_collected(&c, PARENTS, &status) == 0 && status == LAC_ERROR_MEMORY);
    lac_test_fail_allocation_after(-1);
    lac_kernel_collected_free(&c);
  }
}

int main(void) {
  each_is_numbered_once(true);
  each_is_numbered_once(false);
  nothing_is_numbered();
  without_memory_the_status_says_so();
  return report();
}
