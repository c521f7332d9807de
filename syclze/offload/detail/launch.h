/* Bodies of launch.h. */
#ifndef SYCLZE_OFFLOAD_DETAIL_LAUNCH_H
#define SYCLZE_OFFLOAD_DETAIL_LAUNCH_H

#include "../../command/detail/commands/argument_fit.h"
#include "../kernel_info.h"
#include "../launch.h"

#include <stdlib.h>

SYCLZE_EXTERN_C_BEGIN

/* A launch in progress. */
struct syclze__named_launch {
  syclze_program program;
  const syclze_program_request *request;
  const syclze_argument *given;
  const char *own_name; /* of the kernel in the code */
  char *name_copy;      /* which own_name may be */
  uint32_t given_count; /* without the implicit one, if the kernel has it */
  syclze_kernel kernel;
  syclze_candidate chosen;
  syclze_kernel_info info;
  struct syclze__shared_index *index;     /* of the image's SPIR-V; null: it has none */
  const syclze_spirv_kernel *description; /* in it; null with it */
  syclze_argument *placed;                /* in the kernel's order */
  uint32_t placed_count;
  syclze_reason why; /* of a refused argument */
};

SYCLZE_INLINE syclze_argument syclze_implicit_local(size_t size) {
  syclze_argument argument = syclze_local(size);
  argument.type = SYCLZE_ARGUMENT_TYPE_IMPLICIT_LOCAL;
  return argument;
}

#if SYCLZE__BODIES

/* Checks an argument of the source, by its index there, against the kernel's. */
SYCLZE_LOCAL bool syclze__argument_check(
    struct syclze__named_launch *launch, uint32_t source, uint32_t index) {
  const syclze_argument *given = &launch->given[source];
  if (launch->description == NULL) return true;
  const syclze_spirv_argument *argument = &launch->description->arguments[index];
  if (syclze__argument_fits(argument, given)) return true;
  syclze__argument_describe(
      launch->request->kernel, source, given, argument, launch->why.text, sizeof launch->why.text);
  return false;
}

/* The kernel's own number of arguments. */
SYCLZE_LOCAL uint32_t syclze__named_argument_count(const struct syclze__named_launch *launch) {
  if (launch->description != NULL) return launch->description->argument_count;
  SYCLZE__ZE_STRUCT(ze_kernel_properties_t, properties, KERNEL_PROPERTIES);
  SYCLZE__ZE(zeKernelGetProperties)(syclze_kernel_get_native(launch->kernel), &properties);
  return properties.numKernelArgs;
}

/* Fills `placed`, which has room for the kernel's arguments. */
SYCLZE_LOCAL struct syclze__status syclze__named_place(struct syclze__named_launch *launch) {
  const syclze_kernel_info *info = &launch->info;
  uint32_t implicit = info->has_implicit_local_argument ? 1 : 0;
  uint32_t left = launch->placed_count - implicit, next = 0;
  if (launch->placed_count < implicit || !syclze__kernel_info_fit(&launch->info, left) ||
      (implicit != 0 && info->implicit_local_argument >= launch->placed_count))
    return syclze__invalid("the image's properties and its kernel have different arguments");
  size_t local_size = 1; /* an argument must not be empty */
  if (implicit != 0 && launch->given_count != 0 &&
      launch->given[launch->given_count - 1].type == SYCLZE_ARGUMENT_TYPE_IMPLICIT_LOCAL)
    local_size = launch->given[--launch->given_count].size;
  uint32_t wanted = info->source_argument_count != 0 ? info->source_argument_count : left;
  if (launch->given_count != wanted) {
    syclze__reason_set(&launch->why, "%s: %u arguments are given, and the kernel has %u",
        launch->request->kernel, launch->given_count, wanted);
    return syclze__status_of(
        SYCLZE_RESULT_ERROR_KERNEL_ARGUMENT, "the number of arguments is not the kernel's");
  }
  for (uint32_t i = 0; i < wanted; i++) {
    uint32_t index;
    if (!syclze_kernel_info_argument(info, i, &index)) continue;
    if (implicit != 0 && next == info->implicit_local_argument) next++;
    if (!syclze__argument_check(launch, i, next))
      return syclze__status_of(SYCLZE_RESULT_ERROR_KERNEL_ARGUMENT,
          "an argument has another kind or size than the kernel's");
    launch->placed[next++] = launch->given[i];
  }
  if (implicit != 0) launch->placed[info->implicit_local_argument] = syclze_local(local_size);
  return syclze__allowed();
}

/* Reads the image's description of the kernel: its SPIR-V's index, and its properties. */
SYCLZE_LOCAL ze_result_t syclze__named_describe(struct syclze__named_launch *launch) {
  uint32_t count = 0, images;
  syclze_offload_set set = launch->program.rep->set;
  const char *kernel = launch->request->kernel;
  ze_result_t result =
      syclze_kernel_info_read(&launch->chosen.image, launch->own_name, &launch->info);
  if (result != ZE_RESULT_SUCCESS) return result;
  syclze_offload_set_find(set, kernel, &count, NULL);
  images = count;
  syclze_offload_found *found = (syclze_offload_found *)calloc((size_t)images + 1, sizeof *found);
  if (found == NULL) return ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
  syclze_offload_set_find(set, kernel, &count, found);
  if (count < images) images = count;
  struct syclze__status status = syclze__allowed();
  for (uint32_t i = 0; i < images && launch->index == NULL; i++)
    if (found[i].serial == launch->chosen.serial)
      status = syclze__offload_index_of(set.rep, &found[i], &launch->index);
  free(found);
  if (launch->index != NULL && launch->index->status.result == ZE_RESULT_SUCCESS)
    launch->description = syclze_spirv_index_kernel(&launch->index->index, launch->own_name);
  return status.result;
}

SYCLZE_LOCAL ze_result_t syclze__named_prepare(
    struct syclze__named_launch *launch, syclze_device device) {
  syclze_kernel_bundle bundle = {NULL};
  ze_result_t result = syclze__program_resolve(
      launch->program, device, launch->request, "syclze_program_launch", &bundle, &launch->chosen);
  if (result != ZE_RESULT_SUCCESS) return result;
  result = syclze__program_make_kernel(
      bundle, &launch->chosen, launch->request->kernel, &launch->kernel);
  if (result != ZE_RESULT_SUCCESS) return result;
  launch->own_name =
      syclze__kernel_own_name(&launch->chosen.image, launch->request->kernel, &launch->name_copy);
  result = launch->own_name != NULL ? syclze__named_describe(launch)
                                    : ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
  if (result != ZE_RESULT_SUCCESS) return result;
  launch->placed_count = syclze__named_argument_count(launch);
  launch->placed =
      (syclze_argument *)calloc((size_t)launch->placed_count + 1, sizeof *launch->placed);
  struct syclze__status status =
      launch->placed != NULL ? syclze__named_place(launch) : syclze__out_of_memory();
  return syclze__finish_detail(status, "syclze_program_launch", launch->chosen.image.bytes.data,
      launch->why.text[0] != '\0' ? launch->why.text : NULL);
}

/* Submits the launch, which alone uses the kernel, always with an event: the library then keeps the
 * kernel until its work is done. */
SYCLZE_LOCAL ze_result_t syclze__named_submit(struct syclze__named_launch *launch,
    syclze_group *group, const syclze_nd_range *range, syclze_event *event) {
  syclze_event own = {NULL};
  ze_result_t result =
      syclze_group_launch(group, launch->kernel, range, launch->placed, launch->placed_count, &own);
  if (event != NULL)
    *event = own;
  else if (result == ZE_RESULT_SUCCESS)
    result = syclze_event_release(own);
  return result;
}

SYCLZE_COLD ze_result_t syclze_program_launch(syclze_program program, syclze_group *group,
    const syclze_program_request *request, const syclze_nd_range *range,
    const syclze_argument *arguments, uint32_t count, syclze_event *event) {
  if (event != NULL) event->rep = NULL;
  if (group == NULL || range == NULL || (arguments == NULL && count != 0)) {
    if (group != NULL) syclze_group_end(group);
    return syclze__fail_pointer(
        "syclze_program_launch", "the group's, the range's or the arguments' pointer is null");
  }
  syclze_queue queue = {group->queue};
  if (queue.rep == NULL) {
    syclze_group_end(group);
    return syclze__fail_handle("syclze_program_launch", "the queue is null");
  }
  SYCLZE__ZEROED(struct syclze__named_launch, launch);
  launch.program = program;
  launch.request = request;
  launch.given = arguments;
  launch.given_count = count;
  ze_result_t result = syclze__named_prepare(&launch, syclze_queue_get_device(queue));
  if (result == ZE_RESULT_SUCCESS)
    result = syclze__named_submit(&launch, group, range, event);
  else
    syclze_group_end(group);
  free(launch.placed);
  free(launch.name_copy);
  syclze__shared_index_release(launch.index);
  return syclze__first_error(result, syclze_kernel_release(launch.kernel));
}

SYCLZE_COLD ze_result_t syclze__launch_by_name(syclze_program program, syclze_group *group,
    const char *kernel, const syclze_nd_range *range, const syclze_argument *arguments,
    uint32_t count, syclze_event *event) {
  SYCLZE__ZEROED(syclze_program_request, request);
  request.kernel = kernel;
  return syclze_program_launch(program, group, &request, range, arguments, count, event);
}

#endif

SYCLZE_EXTERN_C_END

#endif
