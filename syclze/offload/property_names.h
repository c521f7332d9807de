/**
 * @file
 * Names of DPC++'s property sets, and of the keys that are not a program's own names. Macros only.
 *
 * If a set's keys are names (of kernels, constants, symbols, device globals), the comment describes
 * the named things and the value. "Numbers" is an array of u32 unless stated otherwise.
 */
#ifndef SYCLZE_OFFLOAD_PROPERTY_NAMES_H
#define SYCLZE_OFFLOAD_PROPERTY_NAMES_H

/* Symbolic id of a constant: array of {u32 id, u32 offset in the composite, u32 size}. */
#define SYCLZE_PROPERTY_SET_SPEC_CONSTANTS "SYCL/specialization constants"
/* The key "all": every constant's default, in the order of the set above. */
#define SYCLZE_PROPERTY_SET_SPEC_DEFAULTS "SYCL/specialization constants default values"
#define SYCLZE_PROPERTY_SPEC_DEFAULTS_ALL "all"
/* The key "DeviceLibReqMask": a bit for each fall-back library that is needed. */
#define SYCLZE_PROPERTY_SET_DEVICELIB "SYCL/devicelib req mask"
#define SYCLZE_PROPERTY_DEVICELIB_MASK "DeviceLibReqMask"
/* Kernel: bit n is set if argument n was removed; there are as many bits as arguments. */
#define SYCLZE_PROPERTY_SET_KERNEL_PARAM_OPT "SYCL/kernel param opt"
/* kernel@reqd_work_group_size and other tags: bytes. */
#define SYCLZE_PROPERTY_SET_PROGRAM_METADATA "SYCL/program metadata"
/* The keys below: u32; "sanUsed": bytes. */
#define SYCLZE_PROPERTY_SET_MISC "SYCL/misc properties"
#define SYCLZE_PROPERTY_IS_ESIMD_IMAGE "isEsimdImage"
#define SYCLZE_PROPERTY_REGISTER_ALLOC_MODE "sycl-register-alloc-mode"
#define SYCLZE_PROPERTY_GRF_SIZE "sycl-grf-size"
#define SYCLZE_PROPERTY_OPT_LEVEL "optLevel"
#define SYCLZE_PROPERTY_SPEC_REPLACED "specConstsReplacedWithDefault"
#define SYCLZE_PROPERTY_SANITIZER_USED "sanUsed"
/* Kernel or symbol: u32 1. */
#define SYCLZE_PROPERTY_SET_ASSERT_USED "SYCL/assert used"
#define SYCLZE_PROPERTY_SET_EXPORTED_SYMBOLS "SYCL/exported symbols"
#define SYCLZE_PROPERTY_SET_IMPORTED_SYMBOLS "SYCL/imported symbols"
/* Unique id: u32 size, then u32 (once u8) whether it has the scope of an image. */
#define SYCLZE_PROPERTY_SET_DEVICE_GLOBALS "SYCL/device globals"
/* Unique id: u32 size. */
#define SYCLZE_PROPERTY_SET_HOST_PIPES "SYCL/host pipes"
/* Requirements to a device. Work-group sizes are in the device's order: x, SYCL's last dimension,
 * is first. */
#define SYCLZE_PROPERTY_SET_REQUIREMENTS "SYCL/device requirements"
#define SYCLZE_PROPERTY_ASPECTS "aspects"                                        /* numbers */
#define SYCLZE_PROPERTY_REQD_WORK_GROUP_SIZE_U64 "reqd_work_group_size_uint64_t" /* u64[1..3] */
#define SYCLZE_PROPERTY_REQD_WORK_GROUP_SIZE "reqd_work_group_size"              /* numbers */
#define SYCLZE_PROPERTY_REQD_SUB_GROUP_SIZE "reqd_sub_group_size"                /* a u32 */
#define SYCLZE_PROPERTY_WORK_GROUP_NUM_DIM "work_group_num_dim"                  /* a u32 */
#define SYCLZE_PROPERTY_FIXED_TARGET "fixed_target"                              /* numbers */
#define SYCLZE_PROPERTY_JOINT_MATRIX "joint_matrix"                              /* text */
#define SYCLZE_PROPERTY_JOINT_MATRIX_MAD "joint_matrix_mad"                      /* text */
/* The keys below: names of virtual function sets, with commas between them. */
#define SYCLZE_PROPERTY_SET_VIRTUAL_FUNCTIONS "SYCL/virtual functions"
#define SYCLZE_PROPERTY_VIRTUAL_FUNCTIONS_SET "virtual-functions-set"
#define SYCLZE_PROPERTY_USES_VIRTUAL_FUNCTIONS_SET "uses-virtual-functions-set"
/* Kernel: u32 index of the argument that carries the local memory. */
#define SYCLZE_PROPERTY_SET_IMPLICIT_LOCAL_ARG "SYCL/implicit local arg"
/* Registered name: the kernel's name as bytes. */
#define SYCLZE_PROPERTY_SET_REGISTERED_KERNELS "SYCL/registered kernels"
#define SYCLZE_PROPERTY_SET_KERNEL_NAMES "SYCL/kernel names"

#endif
