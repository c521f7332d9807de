/* Kernel bundles in executable state: fully linked Level Zero modules.
 *
 *     syclze_kernel_bundle_input input = {0};
 *     input.native_handle = module;
 *     input.ownership = SYCLZE_OWNERSHIP_KEEP;
 *     syclze_kernel_bundle bundle;
 *     if (syclze_make_kernel_bundle(&input, context, &bundle) == ZE_RESULT_SUCCESS)
 *       syclze_kernel_bundle_release(bundle);
 *
 * A bundle keeps its context, and kernels keep their bundle: a transferred module is destroyed when
 * the bundle and all kernels wrapped with it are gone. The application's own kernels of a
 * transferred module must be gone by then (4.3). References may be added and dropped by any
 * thread. */
#ifndef SYCLZE_KERNEL_BUNDLE_H
#define SYCLZE_KERNEL_BUNDLE_H

#include "context.h"
#include "detail/kernel_names.h"

SYCLZE_EXTERN_C_BEGIN

typedef struct syclze_kernel_bundle {
  struct syclze__kernel_bundle *rep;
} syclze_kernel_bundle;

typedef struct syclze_kernel_bundle_input {
  ze_module_handle_t native_handle;
  syclze_ownership ownership; /* default: transfer */
} syclze_kernel_bundle_input;

/* The modules of a bundle. They live in the bundle: valid until its last release. */
typedef struct syclze_native_modules {
  const ze_module_handle_t *modules;
  size_t count;
} syclze_native_modules;

/* How to build a bundle from SPIR-V. */
typedef struct syclze_kernel_bundle_desc {
  const void *spirv;                      /* read during the call only */
  size_t size;                            /* in bytes */
  const char *build_flags;                /* as zeModuleCreate takes them; default: none */
  const ze_module_constants_t *constants; /* specialisation constants; default: as in the module */
  char *build_log;                        /* gets the log of a failed build; default: nowhere */
  size_t build_log_size;                  /* in bytes; a longer log is cut off, and terminated */
} syclze_kernel_bundle_desc;

struct syclze__kernel_bundle {
  struct syclze__ref ref;
  size_t module_count;
  ze_module_handle_t modules[1];
  struct syclze__context *context;
  struct syclze__attachment *attachment; /* what must outlive the module; null for none */
  struct syclze__kernel_names *names;    /* of the module's kernels; null until they are needed */
};

/* Builds SPIR-V for a device of the context: one call to zeModuleCreate, and a bundle that owns the
 * module. On ZE_RESULT_ERROR_MODULE_BUILD_FAILURE the log is in desc->build_log and goes to the
 * diagnostic handler. A module that needs linking with others is refused as in
 * syclze_make_kernel_bundle, and destroyed. */
SYCLZE_COLD ze_result_t syclze_kernel_bundle_create(syclze_context context, syclze_device device,
    const syclze_kernel_bundle_desc *desc, syclze_kernel_bundle *bundle)
    SYCLZE_LINK_NAME(syclze_kernel_bundle_create);

/* The bundle's modules. `bundle` is not null. Nothing changes hands (4.4.3). */
SYCLZE_INLINE syclze_native_modules syclze_kernel_bundle_get_native(syclze_kernel_bundle bundle) {
  SYCLZE__TRACE_GET(SYCLZE__TRACE_KERNEL_BUNDLE, bundle.rep);
  syclze_native_modules native = {bundle.rep->modules, bundle.rep->module_count};
  return native;
}

/* The bundle's context, without a reference of its own. `bundle` is not null. */
SYCLZE_INLINE syclze_context syclze_kernel_bundle_get_context(syclze_kernel_bundle bundle) {
  syclze_context context = {bundle.rep->context};
  return context;
}

/* Whether a module that has imports still waits for zeModuleDynamicLink. */
SYCLZE_COLD bool syclze__module_is_unlinked(ze_module_handle_t module)
    SYCLZE_LINK_NAME(syclze__module_is_unlinked);

SYCLZE_INLINE struct syclze__status syclze__check_module(ze_module_handle_t module) {
  ze_module_properties_t properties;
  properties.stype = ZE_STRUCTURE_TYPE_MODULE_PROPERTIES;
  properties.pNext = NULL;
  properties.flags = 0;
  ze_result_t result = SYCLZE__ZE(zeModuleGetProperties)(module, &properties);
  if (result != ZE_RESULT_SUCCESS)
    return syclze__status_of(result, "zeModuleGetProperties refuses the handle");
  if (SYCLZE__UNLIKELY(properties.flags & ZE_MODULE_PROPERTY_FLAG_IMPORTS) &&
      syclze__module_is_unlinked(module))
    return syclze__invalid("Level-Zero backend 4.3: the module has unresolved imports");
  return syclze__allowed();
}

SYCLZE_INLINE struct syclze__status syclze__check_kernel_bundle(
    const syclze_kernel_bundle_input *input, const struct syclze__context *context) {
  if (input == NULL) return syclze__null_pointer("the input's pointer is null");
  struct syclze__status status = syclze__check_handle(input->native_handle, input->ownership);
  if (status.result != ZE_RESULT_SUCCESS) return status;
  if (context == NULL) return syclze__null_handle("the context is null");
  return syclze__check_module(input->native_handle);
}

/* A bundle of one module, with one reference, and a reference to its context; null without
 * memory. */
SYCLZE_INLINE struct syclze__kernel_bundle *syclze__kernel_bundle_new(
    ze_module_handle_t module, struct syclze__context *context, syclze_ownership ownership) {
  struct syclze__kernel_bundle *bundle = (struct syclze__kernel_bundle *)syclze__pool_acquire(
      &SYCLZE__STATE.pools[SYCLZE__POOL_KERNEL_BUNDLE], sizeof *bundle);
  if (SYCLZE__UNLIKELY(bundle == NULL)) return NULL;
  syclze__ref_init(&bundle->ref, ownership);
  syclze__ref_retain(&context->ref);
  bundle->module_count = 1;
  bundle->modules[0] = module;
  bundle->context = context;
  bundle->attachment = NULL;
  bundle->names = NULL;
  SYCLZE__CHECK_WRAPPED(module, ownership);
  return bundle;
}

/* Wraps a fully linked module of `context` (4.3), which the bundle keeps. Errors:
 * ZE_RESULT_ERROR_INVALID_NULL_HANDLE for a null handle or context;
 * ZE_RESULT_ERROR_INVALID_ENUMERATION for an ownership that is none; SYCLZE_RESULT_ERROR_INVALID
 * for a module with unresolved imports; what zeModuleGetProperties says of the handle. Level Zero
 * cannot tell a module's context. After an error the handle is the caller's. */
SYCLZE_INLINE ze_result_t syclze_make_kernel_bundle(
    const syclze_kernel_bundle_input *input, syclze_context context, syclze_kernel_bundle *bundle);

SYCLZE_INLINE ze_result_t syclze__make_kernel_bundle_impl(
    const syclze_kernel_bundle_input *input, syclze_context context, syclze_kernel_bundle *bundle) {
  static const char *const function = "syclze_make_kernel_bundle";
  if (bundle == NULL)
    return syclze__fail(
        ZE_RESULT_ERROR_INVALID_NULL_POINTER, function, "the result's pointer is null", NULL);
  bundle->rep = NULL;
  struct syclze__status status = syclze__check_kernel_bundle(input, context.rep);
  if (SYCLZE__LIKELY(status.result == ZE_RESULT_SUCCESS)) {
    bundle->rep = syclze__kernel_bundle_new(input->native_handle, context.rep, input->ownership);
    if (SYCLZE__LIKELY(bundle->rep != NULL)) return ZE_RESULT_SUCCESS;
    status = syclze__out_of_memory();
  }
  return syclze__fail(
      status.result, function, status.rule, input != NULL ? input->native_handle : NULL);
}
SYCLZE_INLINE ze_result_t syclze_make_kernel_bundle(
    const syclze_kernel_bundle_input *input, syclze_context context, syclze_kernel_bundle *bundle) {
  SYCLZE__RETURN_IF_MAKE_TRACED(
      make_kernel_bundle, syclze_kernel_bundle, input, bundle, &copy, context, &created);
  return syclze__make_kernel_bundle_impl(input, context, bundle);
}

/* Adds a reference. Null is allowed and has no effect. */
SYCLZE_INLINE ze_result_t syclze_kernel_bundle_retain(syclze_kernel_bundle bundle);

SYCLZE_INLINE ze_result_t syclze__kernel_bundle_retain_impl(syclze_kernel_bundle bundle) {
  if (bundle.rep != NULL) syclze__ref_retain(&bundle.rep->ref);
  return ZE_RESULT_SUCCESS;
}
SYCLZE_INLINE ze_result_t syclze_kernel_bundle_retain(syclze_kernel_bundle bundle) {
  SYCLZE__RETURN_IF_TRACED(kernel_bundle_retain, bundle);
  return syclze__kernel_bundle_retain_impl(bundle);
}

/* The end of a bundle that nobody refers to any more. */
SYCLZE_COLD ze_result_t syclze__kernel_bundle_destroy(struct syclze__kernel_bundle *bundle)
    SYCLZE_LINK_NAME(syclze__kernel_bundle_destroy);

/* Drops a reference to a bundle that is not null. */
SYCLZE_INLINE ze_result_t syclze__kernel_bundle_release(struct syclze__kernel_bundle *bundle) {
  if (SYCLZE__LIKELY(!syclze__ref_release(&bundle->ref))) return ZE_RESULT_SUCCESS;
  return syclze__kernel_bundle_destroy(bundle);
}

/* Drops a reference. The last one destroys a transferred module and returns what that returned,
 * and drops the bundle's reference to its context. Null is allowed and has no effect. */
SYCLZE_INLINE ze_result_t syclze_kernel_bundle_release(syclze_kernel_bundle bundle);

SYCLZE_INLINE ze_result_t syclze__kernel_bundle_release_impl(syclze_kernel_bundle bundle) {
  return bundle.rep != NULL ? syclze__kernel_bundle_release(bundle.rep) : ZE_RESULT_SUCCESS;
}
SYCLZE_INLINE ze_result_t syclze_kernel_bundle_release(syclze_kernel_bundle bundle) {
  SYCLZE__RETURN_IF_TRACED(kernel_bundle_release, bundle);
  return syclze__kernel_bundle_release_impl(bundle);
}

SYCLZE_COLD ze_result_t syclze__kernel_bundle_destroy(struct syclze__kernel_bundle *bundle) {
  struct syclze__context *context = bundle->context;
  ze_result_t result = ZE_RESULT_SUCCESS;
  if (bundle->ref.ownership == SYCLZE_OWNERSHIP_TRANSFER) {
    result = SYCLZE__ZE(zeModuleDestroy)(bundle->modules[0]);
    if (result != ZE_RESULT_SUCCESS)
      syclze__fail(
          result, "syclze_kernel_bundle_release", "zeModuleDestroy failed", bundle->modules[0]);
  }
  if (bundle->attachment != NULL) {
    ze_result_t ended = bundle->attachment->end(bundle->attachment);
    if (result == ZE_RESULT_SUCCESS) result = ended;
  }
  free(bundle->names);
  SYCLZE__CHECK_UNWRAPPED(bundle->modules[0]);
  syclze__pool_release(&bundle->ref.slot);
  ze_result_t released = syclze__context_release(context);
  return result != ZE_RESULT_SUCCESS ? result : released;
}

/* The flag says that a module has imports, and drivers leave it set when they are resolved; only
 * zeKernelCreate tells the difference, whatever the name. */
SYCLZE_COLD bool syclze__module_is_unlinked(ze_module_handle_t module) {
  uint32_t count = 1;
  const char *name = "";
  ze_kernel_desc_t desc;
  memset(&desc, 0, sizeof desc);
  desc.stype = ZE_STRUCTURE_TYPE_KERNEL_DESC;
  if (SYCLZE__ZE(zeModuleGetKernelNames)(module, &count, &name) == ZE_RESULT_SUCCESS && count == 1)
    desc.pKernelName = name;
  else
    desc.pKernelName = "";
  ze_kernel_handle_t kernel = NULL;
  ze_result_t result = SYCLZE__ZE(zeKernelCreate)(module, &desc, &kernel);
  if (result == ZE_RESULT_SUCCESS) SYCLZE__ZE(zeKernelDestroy)(kernel);
  return result == ZE_RESULT_ERROR_INVALID_MODULE_UNLINKED;
}

/* Hands the log to the caller's buffer and to the diagnostic handler. */
SYCLZE_LOCAL ze_result_t syclze__build_failed(ze_result_t result,
    ze_module_build_log_handle_t build_log, const syclze_kernel_bundle_desc *desc) {
  size_t size = 0;
  char *text = NULL;
  if (build_log != NULL &&
      SYCLZE__ZE(zeModuleBuildLogGetString)(build_log, &size, NULL) == ZE_RESULT_SUCCESS &&
      size != 0)
    text = (char *)calloc(size + 1, 1);
  if (text != NULL &&
      SYCLZE__ZE(zeModuleBuildLogGetString)(build_log, &size, text) != ZE_RESULT_SUCCESS)
    text[0] = '\0';
  if (text != NULL && desc->build_log != NULL && desc->build_log_size != 0) {
    size_t length = strlen(text);
    if (length > desc->build_log_size - 1) length = desc->build_log_size - 1;
    memcpy(desc->build_log, text, length);
    desc->build_log[length] = '\0';
  }
  syclze__fail_detail(result, "syclze_kernel_bundle_create", "zeModuleCreate failed", NULL, text);
  free(text);
  return result;
}

SYCLZE_COLD ze_result_t syclze__kernel_bundle_create_impl(syclze_context context,
    syclze_device device, const syclze_kernel_bundle_desc *desc, syclze_kernel_bundle *bundle)
    SYCLZE_LINK_NAME(syclze__kernel_bundle_create_impl);

SYCLZE_COLD ze_result_t syclze__kernel_bundle_create_impl(syclze_context context,
    syclze_device device, const syclze_kernel_bundle_desc *desc, syclze_kernel_bundle *bundle) {
  static const char *const function = "syclze_kernel_bundle_create";
  if (bundle == NULL)
    return syclze__fail(
        ZE_RESULT_ERROR_INVALID_NULL_POINTER, function, "the result's pointer is null", NULL);
  bundle->rep = NULL;
  if (desc == NULL || desc->spirv == NULL)
    return syclze__fail(ZE_RESULT_ERROR_INVALID_NULL_POINTER, function,
        "the descriptor's or the SPIR-V's pointer is null", NULL);
  if (desc->build_log != NULL && desc->build_log_size != 0) desc->build_log[0] = '\0';
  struct syclze__status status = syclze__check_device_in(context.rep, device.rep);
  if (status.result != ZE_RESULT_SUCCESS)
    return syclze__fail(status.result, function, status.rule, NULL);

  ze_module_desc_t module_desc;
  memset(&module_desc, 0, sizeof module_desc);
  module_desc.stype = ZE_STRUCTURE_TYPE_MODULE_DESC;
  module_desc.format = ZE_MODULE_FORMAT_IL_SPIRV;
  module_desc.inputSize = desc->size;
  module_desc.pInputModule = (const uint8_t *)desc->spirv;
  module_desc.pBuildFlags = desc->build_flags;
  module_desc.pConstants = desc->constants;
  ze_module_handle_t module = NULL;
  ze_module_build_log_handle_t build_log = NULL;
  ze_result_t result = SYCLZE__ZE(zeModuleCreate)(
      context.rep->native, device.rep->native, &module_desc, &module, &build_log);
  if (result != ZE_RESULT_SUCCESS) syclze__build_failed(result, build_log, desc);
  if (build_log != NULL) SYCLZE__ZE(zeModuleBuildLogDestroy)(build_log);
  if (result != ZE_RESULT_SUCCESS) return result;

  status = syclze__check_module(module);
  if (status.result == ZE_RESULT_SUCCESS) {
    bundle->rep = syclze__kernel_bundle_new(module, context.rep, SYCLZE_OWNERSHIP_TRANSFER);
    if (bundle->rep != NULL) return ZE_RESULT_SUCCESS;
    status = syclze__out_of_memory();
  }
  SYCLZE__ZE(zeModuleDestroy)(module);
  return syclze__fail(status.result, function, status.rule, NULL);
}

SYCLZE_COLD ze_result_t syclze_kernel_bundle_create(syclze_context context, syclze_device device,
    const syclze_kernel_bundle_desc *desc, syclze_kernel_bundle *bundle) {
  SYCLZE__RETURN_IF_TRACED(kernel_bundle_create, context, device, desc, bundle);
  return syclze__kernel_bundle_create_impl(context, device, desc, bundle);
}

SYCLZE_EXTERN_C_END

#endif
