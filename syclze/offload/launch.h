/**
 * @file
 * Kernels of device images launched by name, with arguments checked against the image's own
 * description: their number, their sizes, their kinds.
 *
 *     syclze_group group = syclze_group_begin(queue);
 *     syclze_accessor y = syclze_require(&group, buffer, SYCLZE_ACCESS_READ_WRITE);
 *     syclze_nd_range range = {.global = {n}};
 *     ze_result_t launched = syclze_launch_by_name(program, &group, "axpy", &range, &event,
 *         syclze_arg(y), syclze_arg(x), syclze_arg(2.5f), syclze_arg(n));
 *
 * Arguments are those of the source: one that the compiler removed (kernel_info.h) is given too,
 * and left out here. The kernel is built on first use (program.h). Not part of offload.h: a program
 * that needs it includes it by name.
 *
 * Ownership: the library keeps the kernel until its work is done. Threads: any number may launch
 * from one program, also the same kernel: each launch has a native kernel of its own.
 */
#ifndef SYCLZE_OFFLOAD_LAUNCH_H
#define SYCLZE_OFFLOAD_LAUNCH_H

#include "../command/launch.h"
#include "program.h"

SYCLZE_EXTERN_C_BEGIN

/**
 * An argument of local memory whose size the launch chooses, for a kernel with such an argument
 * besides the source's (kernel_info.h). It must be the last one. A launch without it passes one
 * byte.
 *
 * @param[in] size  in bytes.
 * @return the argument.
 * @see offload design, Property Set Generation
 */
SYCLZE_INLINE syclze_argument syclze_implicit_local(size_t size);

/**
 * Runs a kernel of a program's images on the group's queue.
 *
 * @param[in] program  in the context of the queue; not null.
 * @param[in,out] group  not null. Ended by the call.
 * @param[in] request  the kernel, and values of specialisation constants; not null.
 * @param[in] range  not null.
 * @param[in] arguments  `count` of them, in the order of the source; may be null for none.
 * @param[in] count  their number.
 * @param[out] event  of the submission, a reference of the caller's; set to null on failure. May be
 * null: no event is returned.
 * @return ZE_RESULT_SUCCESS; what a requirement of the group failed with; what
 * syclze_program_get_kernel and syclze_group_launch return; or
 * - ZE_RESULT_ERROR_INVALID_NULL_HANDLE: the program or the queue is null
 * - ZE_RESULT_ERROR_INVALID_NULL_POINTER: another pointer is null
 * - SYCLZE_RESULT_ERROR_KERNEL_ARGUMENT: the number of arguments, or the kind or size of one, is
 *   not the kernel's; the diagnostic's detail names it
 * - SYCLZE_RESULT_ERROR_INVALID: the image's properties contradict its code
 *
 * After an error nothing is submitted.
 * @see offload design, SYCL runtime; SYCL 2020 4.9.4.2 (handler::parallel_for)
 */
SYCLZE_COLD ze_result_t syclze_program_launch(syclze_program program, syclze_group *group,
    const syclze_program_request *request, const syclze_nd_range *range,
    const syclze_argument *arguments, uint32_t count, syclze_event *event)
    SYCLZE_LINK_NAME(syclze_program_launch);

/* Private: launches the kernel of this name. */
SYCLZE_COLD ze_result_t syclze__launch_by_name(syclze_program program, syclze_group *group,
    const char *kernel, const syclze_nd_range *range, const syclze_argument *arguments,
    uint32_t count, syclze_event *event) SYCLZE_LINK_NAME(syclze__launch_by_name);

#ifndef __cplusplus
/** syclze_program_launch with a kernel's name: program, group, name, range, event, and the
 * arguments, if there are any. */
#define syclze_launch_by_name(program, group, kernel, range, ...)                                  \
  syclze__launch_by_name(program, group, kernel, range,                                            \
      SYCLZE__ARGUMENTS(__VA_ARGS__, syclze_local(0)),                                             \
      (uint32_t)(sizeof(SYCLZE__ARGUMENTS(__VA_ARGS__, syclze_local(0))) /                         \
                 sizeof(syclze_argument)) -                                                        \
          1,                                                                                       \
      SYCLZE__EVENT(__VA_ARGS__, 0))
#else
extern "C++" {
/** @copydoc syclze_program_launch */
template <typename... Arguments>
SYCLZE_INLINE ze_result_t syclze_launch_by_name(syclze_program program, syclze_group *group,
    const char *kernel, const syclze_nd_range *range, syclze_event *event,
    const Arguments &...arguments) {
  const syclze_argument all[] = {arguments..., syclze_local(0)};
  return syclze__launch_by_name(
      program, group, kernel, range, all, (uint32_t)sizeof...(arguments), event);
}
}
#endif

SYCLZE_EXTERN_C_END

#include "detail/launch.h"

#endif
