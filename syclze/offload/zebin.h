/**
 * @file
 * Intel's native binary: its target GPU, its kernels, and the SPIR-V that it was compiled from.
 *
 *     syclze_zebin zebin;
 *     if (syclze_zebin_open(syclze_bytes_of(file, file_size), &zebin) == ZE_RESULT_SUCCESS) {
 *       syclze_zebin_kernel_cursor cursor = syclze_zebin_kernels(&zebin);
 *       syclze_text name;
 *       while (syclze_zebin_kernel_next(&cursor, &name))
 *         printf("%.*s\n", (int)name.size, name.data);
 *     }
 *
 * Intel's wrapper of SPIR-V, the member generic_ir of fat archives, opens in the same way: it has
 * no version and no kernels. Ownership: an opened binary is a value of views into the caller's
 * bytes; nothing is allocated. Threads: any number of threads may read one opened binary.
 */
#ifndef SYCLZE_OFFLOAD_ZEBIN_H
#define SYCLZE_OFFLOAD_ZEBIN_H

#include "elf.h"
#include "ip_version.h"

SYCLZE_EXTERN_C_BEGIN

/** ELF's machine of an Intel GPU. */
#define SYCLZE_ELF_MACHINE_INTEL_GPU 205u
/** ELF's type of Intel's wrapper of SPIR-V. */
#define SYCLZE_ELF_TYPE_INTEL_WRAPPER 0xff02u

/** An opened native binary. Numbers that its notes do not give are 0. */
typedef struct syclze_zebin {
  syclze_elf elf;
  uint32_t ip_version; /**< as in ze_device_ip_version_ext_t */
  uint32_t product_family;
  uint32_t gfx_core;
  uint32_t target_metadata;
  syclze_text version; /**< of the format: "1.73" */
  syclze_bytes spirv;  /**< the source of the compilation; empty if it was left out */
  syclze_text info;    /**< .ze_info, in YAML */
} syclze_zebin;

/** A position in the list of kernels. */
typedef struct syclze_zebin_kernel_cursor {
  const syclze_zebin *zebin;
  syclze_text rest;   /**< private: of .ze_info */
  bool in_kernels;    /**< private: below its line "kernels:" */
  size_t item_indent; /**< private: the column of the kernels' dashes; 0 before the first */
  size_t section;     /**< private: without .ze_info: the next section */
} syclze_zebin_kernel_cursor;

/**
 * Opens a native binary, or Intel's wrapper of SPIR-V.
 *
 * @param[in] bytes  may be any bytes, with null data if empty; must outlive the opened binary.
 * @param[out] zebin  not null; zeros on failure.
 * @return
 * - ZE_RESULT_SUCCESS
 * - ZE_RESULT_ERROR_INVALID_NULL_POINTER: `zebin` is null
 * - what syclze_elf_open returns
 * - SYCLZE_RESULT_ERROR_INVALID: an ELF file of another machine, or notes that do not fit
 * @see offload design, AOT compilation flow for SPIR-V based targets
 */
SYCLZE_COLD ze_result_t syclze_zebin_open(syclze_bytes bytes, syclze_zebin *zebin)
    SYCLZE_LINK_NAME(syclze_zebin_open);

/**
 * A cursor before the first kernel.
 *
 * @param[in] zebin  opened; not null; must outlive the cursor.
 * @return the cursor.
 * @see offload design, AOT compilation flow for SPIR-V based targets
 */
SYCLZE_INLINE syclze_zebin_kernel_cursor syclze_zebin_kernels(const syclze_zebin *zebin);

/**
 * Advances to the next kernel: of .ze_info; without it, of the sections .text.NAME with names below
 * 4096 bytes.
 *
 * @param[in,out] cursor  not null.
 * @param[out] name  not null; a view of the binary.
 * @return false after the last.
 * @see offload design, AOT compilation flow for SPIR-V based targets
 */
SYCLZE_COLD bool syclze_zebin_kernel_next(syclze_zebin_kernel_cursor *cursor, syclze_text *name)
    SYCLZE_LINK_NAME(syclze_zebin_kernel_next);

SYCLZE_EXTERN_C_END

#include "detail/zebin.h"

#endif
