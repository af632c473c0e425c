/* replay.c - a fuzzer's inputs once more, without fuzzing: each file of the folders given. */
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t room);

/* Nothing is made of an input here. */
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t room) {
  (void)data, (void)room;
  return size;
}

/* Told before it is run, since a finding ends the process. */
static void replay(const char *path, FILE *file) {
  fseek(file, 0, SEEK_END);
  long size = ftell(file);
  rewind(file);
  uint8_t *data = size >= 0 ? malloc((size_t)size + 1) : NULL;
  if (!data || fread(data, 1, (size_t)size, file) != (size_t)size) {
    fprintf(stderr, "error: %s cannot be read\n", path);
    exit(1);
  }
  printf("%s\n", path);
  fflush(stdout);
  LLVMFuzzerTestOneInput(data, (size_t)size);
  free(data);
}

static int replay_folder(const char *folder) {
  struct dirent **found;
  int count = scandir(folder, &found, NULL, alphasort), replayed = 0;
  for (int i = 0; i < count; i++) {
    char path[4096];
    int length = snprintf(path, sizeof path, "%s/%s", folder, found[i]->d_name);
    FILE *file = *found[i]->d_name != '.' && length < (int)sizeof path ? fopen(path, "rb") : NULL;
    if (file) {
      replay(path, file);
      fclose(file);
      replayed++;
    }
    free(found[i]);
  }
  if (count >= 0)
    free(found);
  return replayed;
}

int main(int argc, char **argv) {
  int replayed = 0;
  for (int i = 1; i < argc; i++)
    replayed += replay_folder(argv[i]);
  printf("%d inputs\n", replayed);
  return replayed == 0;
}
