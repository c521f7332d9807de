/* `many_images FILE read|add`: reads the images of a file of DPC++, or adds them to a set, and
   prints their number and the kilobytes of memory that are resident then. Compiled by
   many_images.sh, which counts the instructions. */
#include "syclze/offload/image_set.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static syclze_bytes map(const char *path) {
  struct stat properties;
  const int file = open(path, O_RDONLY);
  if (file < 0 || fstat(file, &properties) != 0) return syclze_bytes_of(NULL, 0);
  void *bytes = mmap(NULL, (size_t)properties.st_size, PROT_READ, MAP_PRIVATE, file, 0);
  close(file);
  return syclze_bytes_of(bytes, bytes != MAP_FAILED ? (size_t)properties.st_size : 0);
}

/* The counted instructions. */
__attribute__((noinline)) ze_result_t read_images(
    syclze_offload_file_cursor *cursor, syclze_offload_set set, uint32_t *count) {
  syclze_offload_image image;
  if (set.rep != NULL) return syclze_offload_set_add_file(set, cursor, NULL);
  while (syclze_offload_file_next(cursor, &image))
    ++*count;
  return cursor->result;
}

static int resident_kilobytes(void) {
  char line[128];
  int size = 0;
  FILE *status = fopen("/proc/self/status", "r");
  while (status != NULL && fgets(line, sizeof line, status) != NULL)
    sscanf(line, "VmRSS: %d", &size);
  if (status != NULL) fclose(status);
  return size;
}

int main(int argc, char **argv) {
  syclze_offload_set set = {NULL};
  uint32_t count = 0;
  if (argc != 3) return 2;
  if (argv[2][0] == 'a' && syclze_offload_set_create(&set) != ZE_RESULT_SUCCESS) return 2;
  syclze_offload_file_cursor cursor = syclze_offload_file_begin(map(argv[1]));
  if (read_images(&cursor, set, &count) != ZE_RESULT_SUCCESS) return 1;
  const int resident = resident_kilobytes();
  if (set.rep != NULL) syclze_offload_set_list(set, &count, NULL);
  printf("%u images, %d KB resident\n", count, resident);
  syclze_offload_file_end(&cursor);
  syclze_offload_set_release(set);
  return 0;
}
