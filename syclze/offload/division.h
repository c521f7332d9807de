/**
 * @file
 * Division of SPIR-V when a kernel is selected: where a module requires what the device lacks, but
 * the kernel itself does not, the part with the kernel (split.h) is used. EXPERIMENTAL, and not
 * part of offload.h: a program that needs it includes it by name.
 *
 *     syclze_offload_set_allow_division(syclze_offload_registered());
 *
 * Images of a compiler that divides them itself, as DPC++ does, and of kernels.mk with
 * SPLIT=requirement need none of this. A module is divided once, on first use, and each part is
 * kept with its image. Threads: any.
 */
#ifndef SYCLZE_OFFLOAD_DIVISION_H
#define SYCLZE_OFFLOAD_DIVISION_H

#include "image_set.h"
#include "split.h"

SYCLZE_EXTERN_C_BEGIN

/**
 * Lets syclze_selection_find and programs use parts of the images of a set, from the next call on.
 *
 * @param[in] set  not null; keeps this until its end.
 * @return ZE_RESULT_SUCCESS, or ZE_RESULT_ERROR_INVALID_NULL_HANDLE: `set` is null
 * @see offload design, Device code splitting
 */
SYCLZE_COLD ze_result_t syclze_offload_set_allow_division(syclze_offload_set set)
    SYCLZE_LINK_NAME(syclze_offload_set_allow_division);

SYCLZE_EXTERN_C_END

#include "detail/division.h"

#endif
