#include "random_thread.h"

#include "syclze/command/launch_cooperative.h"

static syclze_access_mode mode_of(struct thread *t, const struct node_access *access) {
  static const syclze_access_mode mixing[2] = {SYCLZE_ACCESS_READ_WRITE, SYCLZE_ACCESS_WRITE};
  static const syclze_access_mode setting[2] = {
      SYCLZE_ACCESS_DISCARD_WRITE, SYCLZE_ACCESS_DISCARD_READ_WRITE};
  if (access->how == NODE_READS) return SYCLZE_ACCESS_READ;
  return (access->how & NODE_READS) != 0 ? mixing[random_below(&t->random, 2)]
                                         : setting[random_below(&t->random, 2)];
}

static bool is_whole(const struct node_access *access) {
  return access->first == 0 && access->end == SEGMENTS;
}

syclze_buffer view_of(
    struct thread *t, syclze_buffer buffer, const struct node_access *access, size_t *unit) {
  const size_t offset = access->first, count = access->end - access->first;
  const size_t bytes = count * sizeof(uint64_t);
  syclze_buffer sub, view;
  *unit = 1;
  CHECK_EQ(syclze_buffer_create_sub(buffer, &offset, &count, &sub), ZE_RESULT_SUCCESS);
  if (one_in(t, 2)) return sub;
  *unit = sizeof(uint64_t);
  CHECK_EQ(syclze_buffer_reinterpret(sub, 1, 1, &bytes, &view), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_buffer_release(sub), ZE_RESULT_SUCCESS);
  return view;
}

void require(struct submission *s, uint32_t i) {
  struct thread *t = s->thread;
  const struct node_access *access = &s->node->accesses[i];
  struct object *object = &t->world->objects[access->object];
  const syclze_access_mode mode = mode_of(t, access);
  if (object->is_image)
    s->accessors[i] = syclze_require(&s->group, object->image, mode);
  else if (one_in(t, 6)) {
    size_t unit;
    const size_t count = access->end - access->first;
    s->views[i] = view_of(t, object->buffer, access, &unit);
    s->accessors[i] =
        one_in(t, 2) ? syclze_require(&s->group, s->views[i], mode)
                     : syclze_group_require_range(&s->group, s->views[i], mode, 0, count * unit);
  } else if (is_whole(access) && !one_in(t, 4)) {
    s->accessors[i] = syclze_require(&s->group, object->buffer, mode);
    if (s->step != NULL) s->step->plain |= 1u << i;
  } else
    s->accessors[i] = syclze_group_require_range(
        &s->group, object->buffer, mode, access->first, access->end - access->first);
}

uint32_t images_of(const struct submission *s) {
  uint32_t images = 0;
  for (uint32_t i = 0; i < s->node->access_count; i++)
    images |= (uint32_t)s->thread->world->objects[s->node->accesses[i].object].is_image << i;
  return images;
}

static syclze_kernel kernel_for(struct thread *t, uint32_t context) {
  syclze_kernel *kernel = &t->kernels[context];
  if (kernel->rep == NULL)
    CHECK_EQ(syclze_kernel_create(t->world->bundles[context], "node", kernel), ZE_RESULT_SUCCESS);
  return *kernel;
}

static ze_result_t launch(struct submission *s, syclze_event *event) {
  struct node *node = s->node;
  const uint32_t images = images_of(s), context = s->thread->world->queues[node->queue].context;
  const syclze_nd_range range = {.global = {1}, .local = {1}, .dimensions = 1};
  const void *runs = s->step != NULL ? (const void *)s->step->step : node;
  syclze_argument arguments[2 + ACCESSES] = {syclze_arg(runs), syclze_arg(images)};
  uint64_t none = 0;
  for (uint32_t i = 0; i < ACCESSES; i++)
    arguments[2 + i] = i < node->access_count
                           ? syclze_argument_accessor(&s->accessors[i], sizeof s->accessors[i])
                           : syclze_argument_value(&none, sizeof none);
  if (s->step != NULL)
    return syclze_group_launch(&s->group, s->graph->kernel, &range, arguments, 2 + ACCESSES, event);
  syclze_kernel kernel = kernel_for(s->thread, context);
  ze_result_t result;
  if (node->access_count == 0 && s->group.event_count == 0 && one_in(s->thread, 2)) {
    syclze_group_end(&s->group);
    result = syclze_queue_launch_arguments(
        s->queue, kernel, &range, arguments, 2 + ACCESSES, NULL, 0, event);
  } else if (one_in(s->thread, 8))
    result =
        syclze_group_launch_cooperative(&s->group, kernel, &range, arguments, 2 + ACCESSES, event);
  else
    result = syclze_group_launch(&s->group, kernel, &range, arguments, 2 + ACCESSES, event);
  if (one_in(s->thread, 4)) {
    CHECK_EQ(syclze_kernel_release(kernel), ZE_RESULT_SUCCESS);
    s->thread->kernels[context].rep = NULL;
  }
  return result;
}

static ze_result_t copy(struct submission *s, syclze_event *event) {
  const struct node_access *to = &s->node->accesses[0], *from = &s->node->accesses[1];
  const struct object *objects = s->thread->world->objects;
  const size_t size = (to->end - to->first) * sizeof(uint64_t);
  const __typeof__(syclze_mem_arg(s->accessors[0])) out = syclze_mem_arg(s->accessors[0]),
                                                    in = syclze_mem_arg(s->accessors[1]);
  const bool to_image = objects[to->object].is_image, from_image = objects[from->object].is_image;
  if (to_image && from_image)
    return syclze_group_copy_image(&s->group, s->accessors[0], s->accessors[1], event);
  const ze_image_region_t region = {0, 0, 0, SEGMENTS * 2, 1, 1};
  if (to_image) return syclze_group_copy_to_image(&s->group, s->accessors[0], in, &region, event);
  if (from_image)
    return syclze_group_copy_from_image(&s->group, out, s->accessors[1], &region, event);
  if (s->node->action == ACTION_PART) return syclze_group_copy_part(&s->group, out, in, event);
  return syclze_group_copy(&s->group, out, in, size, event);
}

ze_result_t act(struct submission *s, syclze_event *event) {
  struct node *node = s->node;
  const uint64_t pattern = node_mix(0, node->fills);
  switch (node->action) {
  case ACTION_HOST:
    return syclze_group_host_task(&s->group, run_on_host, host_for(s), event);
  case ACTION_APPENDS:
    return syclze_group_host_task(&s->group, run_appending, host_for(s), event);
  case ACTION_NATIVE:
    return syclze_group_native_command(
        &s->group, s->step != NULL ? run_recorded : run_natively, host_for(s), event);
  case ACTION_FILL:
    return syclze_group_fill(&s->group, syclze_mem_arg(s->accessors[0]), &pattern, sizeof pattern,
        (node->accesses[0].end - node->accesses[0].first) * sizeof pattern, event);
  case ACTION_COPY:
  case ACTION_PART:
    return copy(s, event);
  case ACTION_BARRIER:
    return syclze_group_barrier(&s->group, event);
  default:
    return launch(s, event);
  }
}
