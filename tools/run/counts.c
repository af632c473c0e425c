/* counts.c - see counts.h. */
#include "counts.h"

#include "lac_emulated_counts.h"

typedef long long number;

static double ratio(int64_t sectors, int64_t least) {
  return least ? (double)sectors / (double)least : 1;
}

static double mean_steps(const lac_launch_counts *c) {
  return c->warps ? (double)c->steps / (double)c->warps : 0;
}

static void print_launch(FILE *out, const lac_launch_counts *c) {
  fprintf(out, "kernel '%s': %lld blocks of %lld threads; %lld reads, %lld writes, %lld atomics\n",
          c->kernel, (number)c->blocks, (number)c->threads, (number)c->reads, (number)c->writes,
          (number)c->atomics);
  fprintf(out,
          "  sectors of 32 bytes: %lld in %lld requests (%.3g times the least), %lld by "
          "blocks, %lld in all\n",
          (number)c->sectors, (number)c->requests, ratio(c->sectors, c->least),
          (number)c->sectors_of_blocks, (number)c->sectors_of_launch);
  fprintf(out,
          "  warps: %.4g steps on average, %lld the longest (%.3g); %lld shuffles, %lld requests "
          "to shared memory, %lld barriers\n",
          mean_steps(c), (number)c->longest, lac_launch_imbalance(c), (number)c->shuffles,
          (number)c->shared, (number)(c->barriers + c->warp_barriers));
}

void counts_print(FILE *out) {
  for (int64_t i = 0; i < lac_emulated_counts_launches(); i++) {
    lac_launch_counts c = lac_emulated_counts_of(i);
    print_launch(out, &c);
  }
}

static void print_launch_json(FILE *out, const lac_launch_counts *c) {
  const struct {
    const char *name;
    int64_t count;
  } fields[] = {{"blocks", c->blocks},
                {"threads", c->threads},
                {"warps", c->warps},
                {"reads", c->reads},
                {"writes", c->writes},
                {"atomics", c->atomics},
                {"bytes", c->bytes},
                {"requests", c->requests},
                {"asked_bytes", c->asked},
                {"sectors", c->sectors},
                {"least_sectors", c->least},
                {"sectors_of_blocks", c->sectors_of_blocks},
                {"sectors_of_launch", c->sectors_of_launch},
                {"shared_requests", c->shared},
                {"barriers", c->barriers},
                {"warp_barriers", c->warp_barriers},
                {"shuffles", c->shuffles},
                {"ballots", c->ballots},
                {"steps", c->steps},
                {"longest", c->longest}};
  fprintf(out, "{\"kernel\": \"%s\"", c->kernel);
  for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
    fprintf(out, ", \"%s\": %lld", fields[i].name, (number)fields[i].count);
  fputc('}', out);
}

void counts_print_json(FILE *out) {
  fputc('[', out);
  for (int64_t i = 0; i < lac_emulated_counts_launches(); i++) {
    lac_launch_counts c = lac_emulated_counts_of(i);
    fputs(i ? ",\n  " : "", out);
    print_launch_json(out, &c);
  }
  fputc(']', out);
}
