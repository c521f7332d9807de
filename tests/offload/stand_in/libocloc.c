/* A library with the functions of ocloc's, built by libraries.mk. The source says what it does:
   "refuse" it, "lack" what it needs, return "nothing" or what is "odd", or a module of 5 words. Its
   messages are its arguments. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int outputs_left;

int oclocInvoke(unsigned count, const char **arguments, uint32_t sources, const uint8_t **data,
    const uint64_t *sizes, const char **names, uint32_t headers, const uint8_t **header_data,
    const uint64_t *header_sizes, const char **header_names, uint32_t *output_count,
    uint8_t ***output_data, uint64_t **output_sizes, char ***output_names) {
  static const uint32_t module[] = {0x07230203, 0x00010000, 0, 1, 0};
  const char *text = (const char *)data[0];
  (void)header_data, (void)header_sizes, (void)header_names;
  if (sources != 1 || headers != 0 || strlen(text) + 1 != sizes[0]) return -5150;
  if (strcmp(names[0], arguments[4]) != 0) return -5151;
  *output_count = strstr(text, "nothing") != NULL ? 1 : 2;
  *output_data = (uint8_t **)calloc(2, sizeof **output_data);
  *output_sizes = (uint64_t *)calloc(2, sizeof **output_sizes);
  *output_names = (char **)calloc(2, sizeof **output_names);
  char *log = (char *)calloc(1, 1000);
  for (unsigned i = 0; i < count; i++)
    strcat(strcat(log, arguments[i]), " ");
  (*output_data)[0] = (uint8_t *)log;
  (*output_sizes)[0] = strlen(log);
  (*output_names)[0] = "stdout.log";
  (*output_data)[1] = (uint8_t *)malloc(sizeof module);
  memcpy((*output_data)[1], module, sizeof module);
  (*output_sizes)[1] = strstr(text, "odd") != NULL ? 3 : sizeof module;
  (*output_names)[1] = "main_skl.spv";
  outputs_left++;
  return strstr(text, "refuse") != NULL ? -11 : strstr(text, "lack") != NULL ? -6 : 0;
}

int oclocFreeOutput(uint32_t *count, uint8_t ***data, uint64_t **sizes, char ***names) {
  free((*data)[0]);
  free((*data)[1]);
  free(*data);
  free(*sizes);
  free(*names);
  *count = 0;
  outputs_left--;
  return 0;
}

/* The number of outputs that were not freed. */
int fake_outputs_left(void) {
  return outputs_left;
}
