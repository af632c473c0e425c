/* The options of pipeline and machine, from those of the command line. */
#include "compile.h"

#include "complain.h"
#include "device_target.h"
#include "emit.h"
#include "expect.h"
#include "file.h"
#include "progress.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool complain_and_free(char *message) {
  complain("%s", message ? message : "no memory");
  free(message);
  return false;
}

static struct lacuna_pipeline_options pipeline_of(const options *o, bool scheduled) {
  return (struct lacuna_pipeline_options){.schedule = scheduled ? o->schedule : "",
                                          .threads = o->threads,
                                          .strict = o->strict,
                                          .deterministic = o->deterministic,
                                          .policies = scheduled ? o->workspace : NULL,
                                          .bytes = expect_bytes(),
                                          .device = o->device,
                                          .device_if_able = device_target_is_optional(o->target)};
}

static machine_options machine_of(const options *o) {
  machine_options machine = machine_options_default();
  machine.cache = o->cache ? CACHE_DISK : 0;
  machine.cpu = o->cpu;
  machine.level = (int)o->optimize;
  return machine;
}

compiled *compile_text(const options *o, compiler *c, const char *text, const char *name,
                       bool scheduled, compiled_times *times) {
  char *error = NULL;
  struct lacuna_pipeline_options pipeline = pipeline_of(o, scheduled);
  machine_options machine = machine_of(o);
  progress_begin("compiling");
  compiled *code = text ? compiled_create(c, text, name, &pipeline, &machine, times, &error) : NULL;
  progress_end();
  if (!code)
    complain_and_free(error);
  return code;
}

static bool write_emitted(const char *path, const char *bytes, size_t size) {
  if (path && strcmp(path, "-") != 0)
    return file_write(path, bytes, size) || complain_file(path, "cannot be written");
  fwrite(bytes, 1, size, stdout);
  return true;
}

bool emit_text(const options *o, compiler *c, const char *text, const char *name) {
  char *error = NULL;
  struct lacuna_pipeline_options pipeline = pipeline_of(o, true);
  machine_options machine = machine_of(o);
  char *made = NULL;
  size_t size = 0;
  FILE *out = open_memstream(&made, &size);
  bool done = text && out && emit_rung(c, text, name, o->emit, &pipeline, &machine, out, &error);
  if (out)
    fclose(out);
  done = done ? write_emitted(options_value(o, "-o", ""), made, size) : complain_and_free(error);
  free(made);
  return done;
}
