/**
 * @file
 * The contents of a SPIR-V module that a runtime needs: kernels and their arguments, requirements,
 * imports and exports, specialisation constants.
 *
 *     syclze_spirv_index index;
 *     if (syclze_spirv_index_make(syclze_bytes_of(file, file_size), &index) == ZE_RESULT_SUCCESS) {
 *       for (uint32_t i = 0; i < index.kernel_count; i++)
 *         puts(index.kernels[i].name);
 *       syclze_spirv_index_end(&index);
 *     }
 *
 * A walk over the instructions, which allocates nothing, is enough for the names of kernels:
 *
 *     syclze_spirv spirv;
 *     uint32_t position = 0;
 *     const char *name;
 *     if (syclze_spirv_open(syclze_bytes_of(file, file_size), &spirv) == ZE_RESULT_SUCCESS)
 *       while ((name = syclze_spirv_next_kernel_name(&spirv, &position)) != NULL)
 *         puts(name);
 *
 * Bytes may have any content and alignment: inconsistent ones are refused, and no more is allocated
 * than a fixed multiple of the module and of its highest id. Ownership: an index is one allocation
 * of the caller's; names in it are views of the module's bytes, which must outlive it. Threads: any
 * number of threads may read one module or index.
 */
#ifndef SYCLZE_OFFLOAD_SPIRV_H
#define SYCLZE_OFFLOAD_SPIRV_H

#include "device_image.h"

SYCLZE_EXTERN_C_BEGIN

/** Capabilities that a device must have. */
typedef enum syclze_spirv_capability {
  SYCLZE_SPIRV_CAPABILITY_ADDRESSES = 4,
  SYCLZE_SPIRV_CAPABILITY_LINKAGE = 5,
  SYCLZE_SPIRV_CAPABILITY_KERNEL = 6,
  SYCLZE_SPIRV_CAPABILITY_VECTOR16 = 7,
  SYCLZE_SPIRV_CAPABILITY_FLOAT16_BUFFER = 8,
  SYCLZE_SPIRV_CAPABILITY_FLOAT16 = 9,
  SYCLZE_SPIRV_CAPABILITY_FLOAT64 = 10,
  SYCLZE_SPIRV_CAPABILITY_INT64 = 11,
  SYCLZE_SPIRV_CAPABILITY_INT64_ATOMICS = 12,
  SYCLZE_SPIRV_CAPABILITY_IMAGE_BASIC = 13,
  SYCLZE_SPIRV_CAPABILITY_GROUPS = 18,
  SYCLZE_SPIRV_CAPABILITY_GENERIC_POINTER = 38,
  SYCLZE_SPIRV_CAPABILITY_SUBGROUP_DISPATCH = 58,
  SYCLZE_SPIRV_CAPABILITY_GROUP_NON_UNIFORM = 61,
  SYCLZE_SPIRV_CAPABILITY_GROUP_NON_UNIFORM_QUAD = 68, /**< the last of that family */
  SYCLZE_SPIRV_CAPABILITY_SUBGROUP_SHUFFLE_INTEL = 5568,
  SYCLZE_SPIRV_CAPABILITY_SUBGROUP_BUFFER_BLOCK_IO_INTEL = 5569,
  SYCLZE_SPIRV_CAPABILITY_SUBGROUP_IMAGE_BLOCK_IO_INTEL = 5570
} syclze_spirv_capability;

/** A module whose instructions can be walked. */
typedef struct syclze_spirv {
  const uint8_t *data; /**< the caller's bytes */
  uint32_t words;      /**< their number, the header included */
  uint32_t version;    /**< 0x00010400 for 1.4 */
  uint32_t bound;      /**< above all ids */
} syclze_spirv;

/** An instruction of a module. */
typedef struct syclze_spirv_instruction {
  const uint8_t *data; /**< its first word */
  uint32_t opcode;
  uint32_t length; /**< in words, the first included; at least 1 */
} syclze_spirv_instruction;

/** The way to set an argument. */
typedef enum syclze_spirv_argument_kind {
  SYCLZE_SPIRV_ARGUMENT_VALUE,    /**< the bytes themselves, also of a struct passed by value */
  SYCLZE_SPIRV_ARGUMENT_GLOBAL,   /**< a pointer */
  SYCLZE_SPIRV_ARGUMENT_CONSTANT, /**< a pointer */
  SYCLZE_SPIRV_ARGUMENT_GENERIC,  /**< a pointer */
  SYCLZE_SPIRV_ARGUMENT_LOCAL,    /**< local memory: a size without a pointer */
  SYCLZE_SPIRV_ARGUMENT_IMAGE,
  SYCLZE_SPIRV_ARGUMENT_SAMPLER,
  SYCLZE_SPIRV_ARGUMENT_OTHER /**< pipes and the like, which Level Zero cannot set */
} syclze_spirv_argument_kind;

/** The type of an argument that is a value. */
typedef enum syclze_spirv_value_type {
  SYCLZE_SPIRV_VALUE_OTHER, /**< a struct, a vector, an array; no value */
  SYCLZE_SPIRV_VALUE_INTEGER,
  SYCLZE_SPIRV_VALUE_FLOAT
} syclze_spirv_value_type;

/** An argument of a kernel. */
typedef struct syclze_spirv_argument {
  syclze_spirv_argument_kind kind;
  uint32_t size; /**< in bytes: of the value, pointer or handle; 0 for local memory */
  syclze_spirv_value_type type; /**< of a value that is a scalar */
} syclze_spirv_argument;

/** A kernel of a module. */
typedef struct syclze_spirv_kernel {
  const char *name;
  const syclze_spirv_argument *arguments;
  uint32_t argument_count;
  uint32_t function;                /**< its id */
  uint32_t required_group_size[3];  /**< LocalSize or LocalSizeId; zeros: any */
  uint32_t group_size_hint[3];      /**< LocalSizeHint; zeros: none */
  uint32_t required_sub_group_size; /**< SubgroupSize; 0: any */
  uint32_t required_sub_groups;     /**< SubgroupsPerWorkgroup; 0: any */
  bool contraction_off;
} syclze_spirv_kernel;

/** An import or export of a module. */
typedef struct syclze_spirv_symbol {
  const char *name;
  uint32_t id;
  bool is_function;
} syclze_spirv_symbol;

/** The type of a specialisation constant. */
typedef enum syclze_spec_type {
  SYCLZE_SPEC_TYPE_BOOL,
  SYCLZE_SPEC_TYPE_INTEGER,
  SYCLZE_SPEC_TYPE_FLOAT
} syclze_spec_type;

/** A specialisation constant of a module. Several results with one SpecId are listed once. */
typedef struct syclze_spirv_constant {
  uint32_t id; /**< its SpecId */
  syclze_spec_type type;
  uint32_t size;          /**< in bytes: 1, 2, 4 or 8 */
  uint64_t default_value; /**< its low `size` bytes; a float's bits */
} syclze_spirv_constant;

/** A leaf of a composite constant: as in DPC++'s property, byte for byte. */
typedef struct syclze_spec_leaf {
  uint32_t id;     /**< SpecId */
  uint32_t offset; /**< within the composite, in bytes */
  uint32_t size;   /**< in bytes */
} syclze_spec_leaf;

/** A composite of specialisation constants that is part of no other. */
typedef struct syclze_spirv_composite {
  uint32_t result;     /**< the id of its result */
  uint32_t size;       /**< in bytes */
  uint32_t leaf_count; /**< with those of the composites in it */
} syclze_spirv_composite;

/** Requirements of a module to a device, by its capabilities and execution modes: bits. */
#define SYCLZE_SPIRV_NEEDS_FP16 1u
#define SYCLZE_SPIRV_NEEDS_FP64 2u
#define SYCLZE_SPIRV_NEEDS_ATOMIC64 4u
#define SYCLZE_SPIRV_NEEDS_SUB_GROUPS 8u
#define SYCLZE_SPIRV_NEEDS_IMAGES 16u
#define SYCLZE_SPIRV_NEEDS_GENERIC_POINTERS 32u

/** Limits: an argument's size in bytes, and a composite's leaves. */
enum { SYCLZE_SPIRV_ARGUMENT_SIZE_LIMIT = 1 << 20, SYCLZE_SPIRV_LEAF_LIMIT = 1 << 16 };

/** The index of a module. */
typedef struct syclze_spirv_index {
  syclze_spirv spirv;
  uint32_t needs; /**< SYCLZE_SPIRV_NEEDS bits */
  uint32_t pointer_size;
  syclze_spirv_kernel *kernels; /**< by OpEntryPoint, in their order */
  uint32_t kernel_count;
  syclze_spirv_symbol *imports; /**< without the built-in variables, which every device provides */
  uint32_t import_count;
  syclze_spirv_symbol *exports; /**< clang's __clang_ocl_kern_imp_NAME among them */
  uint32_t export_count;
  syclze_spirv_constant *constants; /**< in rising order of their ids */
  uint32_t constant_count;
  syclze_spirv_composite *composites;
  uint32_t composite_count;
  syclze_spirv_argument *arguments;    /**< private: of all kernels */
  struct syclze__spirv_id *ids;        /**< private: the allocation */
  const syclze_spirv_kernel **by_name; /**< private: the kernels in the order of their names */
  uint32_t id_count;                   /**< private */
} syclze_spirv_index;

/**
 * Checks a module's header, and that its instructions fill it exactly.
 *
 * @param[in] bytes  may be any bytes, with null data if empty; must outlive the opened module.
 * @param[out] spirv  not null; zeros on failure.
 * @return
 * - ZE_RESULT_SUCCESS
 * - ZE_RESULT_ERROR_INVALID_NULL_POINTER: `spirv` is null
 * - SYCLZE_RESULT_ERROR_INVALID: the bytes are no module, or one cut short
 * - SYCLZE_RESULT_ERROR_FEATURE_NOT_SUPPORTED: a module of the other byte order
 * @see offload design, SYCL LLVM to SPIR-V translation
 */
SYCLZE_COLD ze_result_t syclze_spirv_open(syclze_bytes bytes, syclze_spirv *spirv)
    SYCLZE_LINK_NAME(syclze_spirv_open);

/**
 * Reads a word of an instruction.
 *
 * @param[in] instruction  of an opened module; not null.
 * @param[in] index  below the instruction's length.
 * @return the word.
 * @see offload design, SYCL LLVM to SPIR-V translation
 */
SYCLZE_INLINE uint32_t syclze_spirv_word(
    const syclze_spirv_instruction *instruction, uint32_t index);

/**
 * Advances to the next instruction.
 *
 * @param[in] spirv  opened; not null.
 * @param[in,out] position  not null; in words, 0 to begin.
 * @param[out] instruction  not null; unchanged at the end.
 * @return false at the end.
 * @see offload design, SYCL LLVM to SPIR-V translation
 */
SYCLZE_INLINE bool syclze_spirv_next(
    const syclze_spirv *spirv, uint32_t *position, syclze_spirv_instruction *instruction);

/**
 * Checks whether a module declares a capability. Reads only the capabilities, which are first.
 *
 * @param[in] spirv  opened; not null.
 * @param[in] capability  any number.
 * @return true if the module declares it.
 * @see offload design, SYCL LLVM to SPIR-V translation
 */
SYCLZE_COLD bool syclze_spirv_has_capability(const syclze_spirv *spirv, uint32_t capability)
    SYCLZE_LINK_NAME(syclze_spirv_has_capability);

/**
 * Advances to the next kernel, by OpEntryPoint alone.
 *
 * @param[in] spirv  opened; not null.
 * @param[in,out] position  not null; 0 to begin.
 * @return its name, in the module's bytes; null at the end.
 * @see offload design, Symbol table generation
 */
SYCLZE_COLD const char *syclze_spirv_next_kernel_name(const syclze_spirv *spirv, uint32_t *position)
    SYCLZE_LINK_NAME(syclze_spirv_next_kernel_name);

/**
 * Makes the index of a module, in two passes and one allocation.
 *
 * @param[in] bytes  may be any bytes, with null data if empty; must outlive the index.
 * @param[out] index  not null; empty on failure, when it need not be ended. The caller ends it.
 * @return
 * - ZE_RESULT_SUCCESS
 * - ZE_RESULT_ERROR_INVALID_NULL_POINTER: `index` is null
 * - the errors of syclze_spirv_open
 * - SYCLZE_RESULT_ERROR_INVALID: instructions that are inconsistent
 * - ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY
 * @see offload design, SYCL runtime
 */
SYCLZE_COLD ze_result_t syclze_spirv_index_make(syclze_bytes bytes, syclze_spirv_index *index)
    SYCLZE_LINK_NAME(syclze_spirv_index_make);

/**
 * Frees an index and leaves it empty.
 *
 * @param[in,out] index  may be null or empty, which has no effect.
 * @see offload design, SYCL runtime
 */
SYCLZE_INLINE void syclze_spirv_index_end(syclze_spirv_index *index);

/**
 * Finds a kernel by its name, by binary search; of several the first.
 *
 * @param[in] index  not null.
 * @param[in] name  not null.
 * @return the kernel, valid until the index is ended; null if there is none.
 * @see offload design, SYCL runtime
 */
SYCLZE_COLD const syclze_spirv_kernel *syclze_spirv_index_kernel(
    const syclze_spirv_index *index, const char *name) SYCLZE_LINK_NAME(syclze_spirv_index_kernel);

/**
 * Finds a specialisation constant by its SpecId, by binary search.
 *
 * @param[in] index  not null.
 * @param[in] id  any number.
 * @return the constant, valid until the index is ended; null if there is none.
 * @see offload design, Specialization constant lowering
 */
SYCLZE_COLD const syclze_spirv_constant *syclze_spirv_index_constant(
    const syclze_spirv_index *index, uint32_t id) SYCLZE_LINK_NAME(syclze_spirv_index_constant);

/**
 * Lists the leaves of a composite constant, in the order of its members, those of an inner
 * composite in its place.
 *
 * @param[in] index  not null.
 * @param[in] composite  of the index; not null.
 * @param[out] leaves  not null; an array of composite->leaf_count.
 * @return
 * - ZE_RESULT_SUCCESS
 * - ZE_RESULT_ERROR_INVALID_NULL_POINTER: a pointer is null
 * - SYCLZE_RESULT_ERROR_INVALID: a composite of too many constituents
 * @see offload design, Specialization constant lowering
 */
SYCLZE_COLD ze_result_t syclze_spirv_index_leaves(const syclze_spirv_index *index,
    const syclze_spirv_composite *composite, syclze_spec_leaf *leaves)
    SYCLZE_LINK_NAME(syclze_spirv_index_leaves);

SYCLZE_EXTERN_C_END

#include "detail/spirv.h"

#endif
