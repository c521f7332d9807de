/* The main file of the programs that embed.c builds: finds the one image of the other file, which
   it does not name. */
#include "syclze/offload/embed.h"

int main(void) {
  syclze_offload_file_cursor cursor = syclze_embedded_images();
  syclze_offload_image image;
  if (!syclze_offload_file_next(&cursor, &image)) return 1;
  if (!syclze_text_is(syclze_offload_image_text(&image, "name"), "source_in_support")) return 2;
  if (syclze_offload_file_next(&cursor, &image)) return 3;
  return cursor.result != ZE_RESULT_SUCCESS;
}
