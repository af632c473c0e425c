/* An entry:  | magic | size of key | size of content | checksum of content | key | content |  */
#include "cache.h"

#include "cache_folder.h"
#include "identity.h"
#include "processor.h"

#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

static void write_processor(const machine_options *machine, FILE *out) {
  processor on;
  char *error;
  if (processor_find(&on, machine, &error))
    processor_write(&on, out);
  processor_free(&on);
  free(error);
}

cache_bytes cache_key(const char *module, const char *pipeline, const machine_options *machine) {
  cache_bytes key = {NULL, 0};
  FILE *out = open_memstream(&key.data, &key.size);
  if (!out)
    return key;
  identity_write(out);
  write_processor(machine, out);
  char *error;
  fprintf(out, "level %d entries %d threads %lld\n%s\n%s", machine_level(machine, &error),
          machine->entry_points, (long long)machine->threads, pipeline, module);
  free(error);
  if (fclose(out)) {
    free(key.data);
    key.data = NULL;
  }
  return key;
}

//--- Entries -------------------------------------------------------------------------------------

enum { NAME_SIZE = 33 };

static void entry_name(const cache_bytes *key, char name[NAME_SIZE]) {
  snprintf(name, NAME_SIZE, "%016" PRIx64 "%016" PRIx64, hash(key->data, key->size, FIRST_START),
           hash(key->data, key->size, SECOND_START));
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
  char name[NAME_SIZE];
  entry_head head;
  entry_name(key, name);
  cache_bytes found = cache_folder_read(name);
  if (found.data && is_entry(found.data, found.size, key, &head)) {
    memmove(found.data, found.data + sizeof head + key->size, head.size);
    found.size = head.size;
    return found;
  }
  free(found.data);
  return (cache_bytes){NULL, 0};
}

void cache_write(const cache_bytes *key, const cache_bytes *content) {
  entry_head head = {.key_size = key->size,
                     .size = content->size,
                     .checksum = hash(content->data, content->size, FIRST_START)};
  char name[NAME_SIZE];
  cache_bytes entry = {NULL, 0};
  memcpy(head.magic, magic, sizeof magic);
  entry_name(key, name);
  FILE *out = open_memstream(&entry.data, &entry.size);
  if (!out)
    return;
  fwrite(&head, sizeof head, 1, out);
  fwrite(key->data, 1, key->size, out);
  fwrite(content->data, 1, content->size, out);
  if (!fclose(out))
    cache_folder_write(name, &entry);
  free(entry.data);
}
