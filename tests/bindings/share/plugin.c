#include "syclze_library.h"

#include "share.h"

ze_result_t plugin_fill(syclze_queue queue, syclze_buffer buffer, int byte, syclze_event *event) {
  const unsigned char pattern = (unsigned char)byte;
  syclze_group *group = syclze_group_begin(queue);
  syclze_accessor all = syclze_group_require_buffer(group, buffer, SYCLZE_ACCESS_WRITE);
  ze_result_t result = syclze_group_fill(group, syclze_memory_argument_accessor(all), &pattern, 1,
      syclze_buffer_byte_size(buffer), event);
  syclze_group_end(group);
  return result;
}

ze_result_t plugin_event(syclze_context context, syclze_event *event) {
  return syclze_event_create(context, 0, event);
}

ze_result_t plugin_release_twice(syclze_buffer buffer) {
  ze_result_t result = syclze_buffer_retain(buffer);
  if (result == ZE_RESULT_SUCCESS) result = syclze_buffer_release(buffer);
  return result == ZE_RESULT_SUCCESS ? syclze_buffer_release(buffer) : result;
}

ze_result_t plugin_fail(const char **rule) {
  syclze_event event;
  syclze_context none = {0};
  ze_result_t result = syclze_event_create(none, 0, &event);
  const syclze_diagnostic *last = syclze_last_diagnostic();
  *rule = last != NULL && last->result == result ? last->rule : NULL;
  return result;
}
