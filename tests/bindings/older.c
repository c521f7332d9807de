/* A caller whose input is followed by other bytes than zero: prints the codes of two calls by it.
 * One of a function that is inlined in the headers ends. */
#include "syclze_library.h"

#include <stdio.h>
#include <string.h>

int main(void) {
  struct {
    syclze_event_input input;
    unsigned char after[64];
  } memory;
  syclze_event_input *input = &memory.input;
  syclze_context context = {0};
  syclze_event event;
  ze_result_t first, second;
  memset(&memory, 0x5a, sizeof memory);
  memset(input, 0, sizeof *input);
#ifdef MORE
  input->MORE = 1;
#endif
  /* Refused for its null handle, unless a member refuses it before. */
  first = syclze_make_event(input, context, &event);
  first = first == ZE_RESULT_ERROR_INVALID_NULL_HANDLE ? ZE_RESULT_SUCCESS : first;
  second = first == ZE_RESULT_SUCCESS && syclze_last_diagnostic() == NULL ? ZE_RESULT_ERROR_UNKNOWN
                                                                          : ZE_RESULT_SUCCESS;
  if (syclze_native_queue_of_list(NULL).kind != SYCLZE_NATIVE_QUEUE_LIST) return 1;
  printf("%d %d\n", (int)first, (int)second);
  return 0;
}
