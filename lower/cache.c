/* An entry:  | magic | size of key | size of content | checksum of content | key | content |  */
#include "cache.h"

#include "file.h"
#include "identity.h"
#include "program.h"

#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct entry_head {
  char magic[8];
  uint64_t key_size, size, checksum;
} entry_head;

static const char magic[8] = "lacuna1";

/* FNV-1a (Fowler, Noll, Vo), from any start. */
static uint64_t hash(const char *bytes, size_t size, uint64_t start) {
  uint64_t h = start;
  for (size_t i = 0; i < size; i++)
    h = (h ^ (unsigned char)bytes[i]) * 0x100000001b3U;
  return h;
}

enum { FIRST_START = 0x0cbf29ce, SECOND_START = 0x22325e2d };

//--- Keys ----------------------------------------------------------------------------------------

bool cache_is_on(void) {
  const char *setting = getenv("LACUNA_CACHE");
  return !setting || strcmp(setting, "off") != 0;
}

cache_bytes cache_key(const char *module, const char *pipeline, const machine_options *machine) {
  cache_bytes key = {NULL, 0};
  FILE *out = open_memstream(&key.data, &key.size);
  if (!out)
    return key;
  identity_write(out);
  program_write_machine(out, machine);
  fprintf(out, "level %d packed %d\n%s\n%s", machine->level, machine->packed_entries, pipeline,
          module);
  if (fclose(out)) {
    free(key.data);
    key.data = NULL;
  }
  return key;
}

//--- Files ---------------------------------------------------------------------------------------

/* The folder, made where it is not there; NULL where it cannot be. The caller frees it. */
static char *folder(void) {
  const char *base = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
  char *parent = NULL, *path = NULL;
  bool has_base = base && *base == '/';
  if (!has_base && !(home && *home == '/'))
    return NULL;
  if (asprintf(&parent, has_base ? "%s" : "%s/.cache", has_base ? base : home) < 0)
    return NULL;
  mkdir(parent, 0700);
  if (asprintf(&path, "%s/lacuna", parent) < 0)
    path = NULL;
  free(parent);
  if (path)
    mkdir(path, 0700);
  return path;
}

static char *entry_path(const cache_bytes *key) {
  char *in = folder(), *path = NULL;
  if (in &&
      asprintf(&path, "%s/%016" PRIx64 "%016" PRIx64, in, hash(key->data, key->size, FIRST_START),
               hash(key->data, key->size, SECOND_START)) < 0)
    path = NULL;
  free(in);
  return path;
}

static bool is_ours(const char *path) {
  struct stat found;
  return !stat(path, &found) && S_ISREG(found.st_mode) && found.st_uid == geteuid() &&
         !(found.st_mode & (S_IWGRP | S_IWOTH));
}

static bool is_entry(const char *bytes, size_t size, const cache_bytes *key, entry_head *head) {
  if (size < sizeof *head)
    return false;
  memcpy(head, bytes, sizeof *head);
  size_t rest = size - sizeof *head;
  return !memcmp(head->magic, magic, sizeof magic) && head->key_size == key->size &&
         head->key_size <= rest && head->size == rest - head->key_size &&
         !memcmp(bytes + sizeof *head, key->data, key->size) &&
         head->checksum == hash(bytes + sizeof *head + key->size, head->size, FIRST_START);
}

cache_bytes cache_read(const cache_bytes *key) {
  cache_bytes found = {NULL, 0};
  entry_head head;
  size_t size = 0;
  char *path = entry_path(key);
  char *bytes = path && is_ours(path) ? file_read(path, &size) : NULL;
  if (bytes && is_entry(bytes, size, key, &head)) {
    found = (cache_bytes){bytes, head.size};
    memmove(bytes, bytes + sizeof head + key->size, head.size);
    bytes = NULL;
  }
  free(bytes);
  free(path);
  return found;
}

void cache_write(const cache_bytes *key, const cache_bytes *content) {
  entry_head head = {.key_size = key->size,
                     .size = content->size,
                     .checksum = hash(content->data, content->size, FIRST_START)};
  memcpy(head.magic, magic, sizeof magic);
  char *path = entry_path(key), *bytes = NULL;
  size_t size = 0;
  FILE *out = path ? open_memstream(&bytes, &size) : NULL;
  if (out) {
    fwrite(&head, sizeof head, 1, out);
    fwrite(key->data, 1, key->size, out);
    fwrite(content->data, 1, content->size, out);
    if (!fclose(out))
      file_write(path, bytes, size);
  }
  free(bytes);
  free(path);
}
