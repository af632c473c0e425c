/* The figures of --time and --counts, for people and for machines.  GB/s counts every array of the
 * operands and of the result once: the bytes that must move. */
#include "report.h"
#include "complain.h"
#include "counts.h"
#include "lac_device.h"
#include "lac_emulated_counts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

double report_clock(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static int compare_doubles(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

void figures_begin(figures *f, arena *memory, const options *o) {
  f->seconds = ARENA_ARRAY(memory, double, o->time + 1);
  f->on_device = o->device ? ARENA_ARRAY(memory, double, o->time + 1) : NULL;
  f->counts = o->counts;
  if (f->counts)
    lac_emulated_counts_begin();
}

void figures_add(figures *f, double start) {
  f->seconds[f->runs] = report_clock() - start;
  if (f->on_device)
    f->on_device[f->runs] = lac_device_seconds();
  if (f->counts)
    lac_emulated_counts_end();
  f->runs++;
}

void figures_sort(figures *f) {
  if (f->runs > 0)
    qsort(f->seconds, (size_t)f->runs, sizeof *f->seconds, compare_doubles);
  if (f->runs > 0 && f->on_device)
    qsort(f->on_device, (size_t)f->runs, sizeof *f->on_device, compare_doubles);
}

static double median_of(const figures *f, const double *sorted) {
  return f->runs ? (sorted[(f->runs - 1) / 2] + sorted[f->runs / 2]) / 2 : 0;
}

static double median(const figures *f) {
  return median_of(f, f->seconds);
}

static double gigabytes_a_second(const figures *f) {
  double bytes = (double)(f->operand_bytes + f->result_bytes);
  return median(f) > 0 ? bytes / median(f) * 1e-9 : 0;
}

static double compile_seconds(const figures *f) {
  const machine_times *m = &f->compile.machine;
  return f->compile.passes + m->translate + m->optimize + m->generate;
}

static void print_json_text(FILE *out, const char *text) {
  fputc('"', out);
  for (; *text; text++)
    if (*text == '"' || *text == '\\')
      fprintf(out, "\\%c", *text);
    else if ((unsigned char)*text < ' ')
      fprintf(out, "\\u%04x", (unsigned char)*text);
    else
      fputc(*text, out);
  fputc('"', out);
}

static void print_json(FILE *out, const figures *f) {
  fputs("{\"program\": ", out);
  print_json_text(out, f->program);
  if (f->on_device)
    fprintf(out, ",\n \"device_median_s\": %.9g", median_of(f, f->on_device));
  fprintf(out,
          ",\n \"threads\": %lld, \"runs\": %lld,\n"
          " \"median_s\": %.9g, \"minimum_s\": %.9g, \"gb_per_s\": %.6g,\n"
          " \"operand_bytes\": %lld, \"result_bytes\": %lld, \"result_values\": %lld,\n"
          " \"compile_s\": %.6g, \"passes_s\": %.6g, \"optimize_s\": %.6g, \"generate_s\": %.6g",
          (long long)f->threads, (long long)f->runs, median(f), f->runs ? f->seconds[0] : 0.0,
          gigabytes_a_second(f), (long long)f->operand_bytes, (long long)f->result_bytes,
          (long long)f->result_values, compile_seconds(f), f->compile.passes,
          f->compile.machine.optimize, f->compile.machine.generate);
  if (f->counts) {
    fputs(",\n \"counts\": ", out);
    counts_print_json(out);
  }
  fputs("}\n", out);
}

static char *json_text(const figures *f, size_t *size) {
  char *text = NULL;
  FILE *out = open_memstream(&text, size);
  if (!out)
    return NULL;
  print_json(out, f);
  fclose(out);
  return text;
}

static bool prepare(const figures *f, const char *json, file_pending *file) {
  size_t size = 0;
  *file = (file_pending){json, NULL};
  if (!json)
    return true;
  char *text = json_text(f, &size);
  bool prepared = text && file_prepare(file, json, text, size);
  free(text);
  return prepared || complain_file(json, "cannot be written");
}

static bool report(const figures *f, file_pending *json) {
  if (!file_commit(json))
    return complain_file(json->path, "cannot be written");
  if (f->runs)
    fprintf(stderr,
            "time: %.4g ms median, %.4g ms minimum of %lld runs; %.3g GB/s (%lld bytes in, %lld "
            "out); compiled in %.3g ms\n",
            1e3 * median(f), 1e3 * f->seconds[0], (long long)f->runs, gigabytes_a_second(f),
            (long long)f->operand_bytes, (long long)f->result_bytes, 1e3 * compile_seconds(f));
  if (f->runs && f->on_device)
    fprintf(stderr, "on the device: %.4g ms median, %.4g ms minimum\n",
            1e3 * median_of(f, f->on_device), 1e3 * f->on_device[0]);
  if (f->counts)
    counts_print(stderr);
  return true;
}

bool figures_write(const figures *f, const char *json, bool (*write_results)(void *run),
                   void *run) {
  file_pending file;
  if (!prepare(f, json, &file))
    return false;
  if (write_results(run))
    return report(f, &file);
  file_abandon(&file);
  return false;
}
