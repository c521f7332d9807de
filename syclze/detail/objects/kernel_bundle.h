/* Implementation of kernel_bundle.h. */
#ifndef SYCLZE_DETAIL_OBJECTS_KERNEL_BUNDLE_H
#define SYCLZE_DETAIL_OBJECTS_KERNEL_BUNDLE_H

#include "../../kernel_bundle.h"
#include "kernel_names.h"
#include "kernel_signatures.h"

SYCLZE_EXTERN_C_BEGIN

struct syclze__kernel_bundle {
  struct syclze__parent parent; /* of kernels */
  size_t module_count;
  ze_module_handle_t modules[1];
  struct syclze__context *context;
  struct syclze__attachment *attachment; /* must outlive the module; null for none */
  struct syclze__kernel_names *names;    /* of the module's kernels; null until needed */
};

SYCLZE__POOLED(struct syclze__kernel_bundle);

/* syclze_make_kernel_bundle without tracing. Neither pointer is null. */
SYCLZE_COLD ze_result_t syclze__make_kernel_bundle_impl(
    const syclze_kernel_bundle_input *input, syclze_context context, syclze_kernel_bundle *bundle)
    SYCLZE_LINK_NAME(syclze__make_kernel_bundle_impl);

/* Slow path of the make. `queried` is success for a module without imports, an error of
 * zeModuleGetProperties, or ZE_RESULT_NOT_READY. */
SYCLZE_COLD struct syclze__made syclze__make_kernel_bundle_slow(syclze_kernel_bundle_input input,
    syclze_context context, ze_result_t queried) SYCLZE_LINK_NAME(syclze__make_kernel_bundle_slow);

SYCLZE_COLD ze_result_t syclze__kernel_bundle_create_impl(syclze_context context,
    syclze_device device, const syclze_kernel_bundle_desc *desc, syclze_kernel_bundle *bundle)
    SYCLZE_LINK_NAME(syclze__kernel_bundle_create_impl);

/* Ends the bundle after a release that left no reference, or closes it until its last child ends.
 * `left` is 0 for a bundle that is marked as free. */
SYCLZE_COLD ze_result_t syclze__kernel_bundle_close(struct syclze__kernel_bundle *bundle,
    int32_t left) SYCLZE_LINK_NAME(syclze__kernel_bundle_close);

/* Slow path of a bundle as parent. At its end, destroys a transferred module, and ends the
 * attachment. */
SYCLZE_WARM struct syclze__made syclze__kernel_bundle_slow(struct syclze__parent *parent,
    enum syclze__child_step step, enum syclze__pool_kind kind, struct syclze__slot *slot,
    size_t size) SYCLZE_LINK_NAME(syclze__kernel_bundle_slow);

SYCLZE_INLINE syclze_native_modules syclze_kernel_bundle_get_native(syclze_kernel_bundle bundle) {
  syclze_native_modules native = {NULL, 0};
  SYCLZE__TRACE_GET(SYCLZE_OBJECT_KERNEL_BUNDLE, bundle.rep);
  SYCLZE__CHECK_USE(bundle, "syclze_kernel_bundle_get_native", native);
  native.modules = bundle.rep->modules;
  native.count = bundle.rep->module_count;
  return native;
}

SYCLZE_INLINE syclze_context syclze_kernel_bundle_get_context(syclze_kernel_bundle bundle) {
  syclze_context context = {bundle.rep->context};
  return context;
}

/* Fills the memory of a bundle of one module with one reference, and a reference to its context. */
SYCLZE_INLINE struct syclze__kernel_bundle *syclze__kernel_bundle_fill(
    void *memory, const syclze_kernel_bundle_input *input, struct syclze__context *context) {
  struct syclze__kernel_bundle *bundle = (struct syclze__kernel_bundle *)memory;
  syclze__parent_init(&bundle->parent, (uint32_t)input->ownership, syclze__kernel_bundle_slow);
  bundle->module_count = 1;
  bundle->modules[0] = input->native_handle;
  bundle->context = context;
  bundle->attachment = NULL;
  bundle->names = NULL;
  return bundle;
}

SYCLZE_INLINE ze_result_t syclze_make_kernel_bundle(
    const syclze_kernel_bundle_input *input, syclze_context context, syclze_kernel_bundle *bundle) {
  struct syclze__made made;
  void *memory;
  ze_module_properties_t properties;
  ze_result_t queried = ZE_RESULT_NOT_READY;
  if (SYCLZE__UNLIKELY(bundle == NULL || input == NULL))
    return syclze__fail_null("syclze_make_kernel_bundle", bundle);
  if (SYCLZE__TRACING_CALLS() || SYCLZE__CHECKED) goto slow;
  SYCLZE__SEPARATE();
  if (SYCLZE__UNLIKELY(input->native_handle == NULL)) goto slow;
  if (SYCLZE__UNLIKELY((uint32_t)input->ownership > SYCLZE__KEPT)) goto slow;
  SYCLZE__SEPARATE();
  if (SYCLZE__UNLIKELY(context.rep == NULL)) goto slow;
  properties.stype = ZE_STRUCTURE_TYPE_MODULE_PROPERTIES;
  properties.pNext = NULL;
  queried = SYCLZE__ZE(zeModuleGetProperties)(input->native_handle, &properties);
  if (SYCLZE__UNLIKELY(queried != ZE_RESULT_SUCCESS)) goto slow;
  if (SYCLZE__UNLIKELY(properties.flags & ZE_MODULE_PROPERTY_FLAG_IMPORTS)) {
    queried = ZE_RESULT_NOT_READY;
    goto slow;
  }
  memory = syclze__child_take(&context.rep->parent, SYCLZE__POOL_KERNEL_BUNDLE);
  if (SYCLZE__UNLIKELY(memory == NULL)) goto slow;
  bundle->rep = syclze__kernel_bundle_fill(memory, input, context.rep);
  return ZE_RESULT_SUCCESS;
slow:
  made = syclze__make_kernel_bundle_slow(*input, context, queried);
  bundle->rep = (struct syclze__kernel_bundle *)made.rep;
  return made.result;
}

SYCLZE_INLINE ze_result_t syclze_kernel_bundle_retain(syclze_kernel_bundle bundle) {
  return syclze__retain(SYCLZE_OBJECT_KERNEL_BUNDLE, bundle.rep, "syclze_kernel_bundle_retain");
}

/* Returns the object to its pool, and drops its reference to the context. */
SYCLZE_INLINE ze_result_t syclze__kernel_bundle_free(struct syclze__kernel_bundle *bundle) {
  struct syclze__context *context = bundle->context;
  return syclze__child_release(
      &context->parent, SYCLZE__POOL_KERNEL_BUNDLE, &bundle->parent.ref.slot);
}

/* Drops a reference. `bundle` is not null. */
SYCLZE_INLINE ze_result_t syclze__kernel_bundle_drop(struct syclze__kernel_bundle *bundle) {
  const int32_t left = syclze__parent_release(&bundle->parent);
  return left >= 0 ? ZE_RESULT_SUCCESS : syclze__kernel_bundle_close(bundle, left);
}

SYCLZE_INLINE ze_result_t syclze__kernel_bundle_release_impl(syclze_kernel_bundle bundle) {
  if (bundle.rep == NULL) return ZE_RESULT_SUCCESS;
  SYCLZE__CHECK_USE(bundle, "syclze_kernel_bundle_release", SYCLZE_RESULT_ERROR_INVALID);
  if (SYCLZE__UNLIKELY(!syclze__parent_release_alone(&bundle.rep->parent)))
    return syclze__kernel_bundle_drop(bundle.rep);
  if (SYCLZE__UNLIKELY(bundle.rep->parent.ref.ownership != SYCLZE__KEPT ||
                       bundle.rep->attachment != NULL || bundle.rep->names != NULL))
    return syclze__kernel_bundle_close(bundle.rep, 0);
  SYCLZE__CHECK_UNWRAPPED(bundle.rep->modules[0]);
  return syclze__kernel_bundle_free(bundle.rep);
}

SYCLZE_INLINE ze_result_t syclze_kernel_bundle_release(syclze_kernel_bundle bundle) {
  SYCLZE__RETURN_IF_TRACED(release, SYCLZE_OBJECT_KERNEL_BUNDLE, bundle.rep);
  return syclze__kernel_bundle_release_impl(bundle);
}

#if SYCLZE__BODIES

/* Ends a make or a creation: reports the failure of `status` or of the memory. */
SYCLZE_LOCAL struct syclze__made syclze__kernel_bundle_new(const syclze_kernel_bundle_input *input,
    struct syclze__context *context, struct syclze__status status, const char *function) {
  void *memory = syclze__make_memory(&status, (struct syclze__parent *)(void *)context,
      SYCLZE__POOL_KERNEL_BUNDLE, sizeof(struct syclze__kernel_bundle));
  if (memory != NULL) SYCLZE__CHECK_SIGN(syclze__kernel_bundle_fill(memory, input, context));
  return syclze__make_end(
      status, memory, "kernel bundle", function, input->native_handle, (uint32_t)input->ownership);
}

/* True if imports of the module are not linked. Drivers leave the flag of imports set when they are
 * resolved; only zeKernelCreate, with any name, tells. */
SYCLZE_LOCAL bool syclze__module_is_unlinked(ze_module_handle_t module) {
  uint32_t count = 1;
  const char *name = "";
  ze_kernel_handle_t kernel = NULL;
  SYCLZE__ZE_STRUCT(ze_kernel_desc_t, desc, KERNEL_DESC);
  if (SYCLZE__ZE(zeModuleGetKernelNames)(module, &count, &name) != ZE_RESULT_SUCCESS || count != 1)
    name = "";
  desc.pKernelName = name;
  ze_result_t result = SYCLZE__ZE(zeKernelCreate)(module, &desc, &kernel);
  if (result == ZE_RESULT_SUCCESS) SYCLZE__ZE(zeKernelDestroy)(kernel);
  return result == ZE_RESULT_ERROR_INVALID_MODULE_UNLINKED;
}

SYCLZE_LOCAL struct syclze__status syclze__check_module(ze_module_handle_t module) {
  SYCLZE__ZE_STRUCT(ze_module_properties_t, properties, MODULE_PROPERTIES);
  ze_result_t result = SYCLZE__ZE(zeModuleGetProperties)(module, &properties);
  if (result != ZE_RESULT_SUCCESS)
    return syclze__status_of(result, "zeModuleGetProperties refuses the handle");
  if (properties.flags & ZE_MODULE_PROPERTY_FLAG_IMPORTS && syclze__module_is_unlinked(module))
    return syclze__invalid("Level-Zero backend 4.3: the module has unresolved imports");
  return syclze__allowed();
}

SYCLZE_LOCAL struct syclze__made syclze__kernel_bundle_make(
    const syclze_kernel_bundle_input *input, struct syclze__context *context, ze_result_t queried) {
  struct syclze__status status =
      syclze__check_handle(input->native_handle, (uint32_t)input->ownership);
  if (status.result == ZE_RESULT_SUCCESS) status = syclze__check_in(context);
  if (status.result == ZE_RESULT_SUCCESS)
    status = queried == ZE_RESULT_NOT_READY
                 ? syclze__check_module(input->native_handle)
                 : syclze__status_of(queried, "zeModuleGetProperties refuses the handle");
  return syclze__kernel_bundle_new(input, context, status, "syclze_make_kernel_bundle");
}

SYCLZE_COLD ze_result_t syclze__make_kernel_bundle_impl(
    const syclze_kernel_bundle_input *input, syclze_context context, syclze_kernel_bundle *bundle) {
  const struct syclze__made made =
      syclze__kernel_bundle_make(input, context.rep, ZE_RESULT_NOT_READY);
  bundle->rep = (struct syclze__kernel_bundle *)made.rep;
  return made.result;
}

SYCLZE_COLD struct syclze__made syclze__make_kernel_bundle_slow(
    syclze_kernel_bundle_input input, syclze_context context, ze_result_t queried) {
  SYCLZE__MADE_IF_TRACED(make_kernel_bundle, syclze_kernel_bundle, &input, context, &created);
  return syclze__kernel_bundle_make(&input, context.rep, queried);
}

/* Destroys a bundle without references and kernels. */
SYCLZE_LOCAL ze_result_t syclze__kernel_bundle_destroy(struct syclze__kernel_bundle *bundle) {
  ze_result_t result = ZE_RESULT_SUCCESS;
  SYCLZE__CHECK_UNWRAPPED(bundle->modules[0]);
  if (bundle->parent.ref.ownership == SYCLZE__TRANSFERRED && !syclze__is_forked()) {
    result = SYCLZE__ZE(zeModuleDestroy)(bundle->modules[0]);
    if (result != ZE_RESULT_SUCCESS)
      syclze__fail(
          result, "syclze_kernel_bundle_release", "zeModuleDestroy failed", bundle->modules[0]);
  } else
    result = syclze__owner_end(&bundle->parent.ref);
  if (bundle->attachment != NULL)
    result = syclze__first_error(result, bundle->attachment->end(bundle->attachment));
  free(bundle->names);
  return syclze__first_error(result, syclze__kernel_bundle_free(bundle));
}

SYCLZE_COLD ze_result_t syclze__kernel_bundle_close(
    struct syclze__kernel_bundle *bundle, int32_t left) {
  return left == 0 ? syclze__kernel_bundle_destroy(bundle)
                   : syclze__parent_last(&bundle->parent, left, SYCLZE__POOL_KERNEL_BUNDLE,
                         "syclze_kernel_bundle_release");
}

SYCLZE_WARM struct syclze__made syclze__kernel_bundle_slow(struct syclze__parent *parent,
    enum syclze__child_step step, enum syclze__pool_kind kind, struct syclze__slot *slot,
    size_t size) {
  struct syclze__made made = {NULL, ZE_RESULT_SUCCESS};
  if (syclze__parent_step(parent, step, kind, &slot, size, NULL))
    made.result = syclze__kernel_bundle_destroy((struct syclze__kernel_bundle *)(void *)parent);
  made.rep = slot;
  return made;
}

/* Reports a failed build, with its log, which the caller's buffer receives too. */
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

/* Builds the module, and reports a failure. */
SYCLZE_LOCAL ze_result_t syclze__module_create(const struct syclze__context *context,
    const struct syclze__device *device, const syclze_kernel_bundle_desc *desc,
    ze_module_handle_t *module) {
  ze_module_build_log_handle_t build_log = NULL;
  ze_result_t result;
  SYCLZE__ZE_STRUCT(ze_module_desc_t, module_desc, MODULE_DESC);
  module_desc.format = desc->format;
  module_desc.inputSize = desc->size;
  module_desc.pInputModule = (const uint8_t *)desc->spirv;
  module_desc.pBuildFlags = desc->build_flags;
  module_desc.pConstants = desc->constants;
  result =
      SYCLZE__ZE(zeModuleCreate)(context->native, device->native, &module_desc, module, &build_log);
  if (result != ZE_RESULT_SUCCESS) syclze__build_failed(result, build_log, desc);
  if (build_log != NULL) SYCLZE__ZE(zeModuleBuildLogDestroy)(build_log);
  return result;
}

SYCLZE_COLD ze_result_t syclze__kernel_bundle_create_impl(syclze_context context,
    syclze_device device, const syclze_kernel_bundle_desc *desc, syclze_kernel_bundle *bundle) {
  const char *const function = "syclze_kernel_bundle_create";
  syclze_kernel_bundle_input input = {NULL, SYCLZE_OWNERSHIP_TRANSFER};
  struct syclze__made made;
  if (bundle != NULL) bundle->rep = NULL;
  if (bundle == NULL || desc == NULL || desc->spirv == NULL)
    return syclze__fail_pointer(
        function, "the result's, the descriptor's or the SPIR-V's pointer is null");
  if (desc->build_log != NULL && desc->build_log_size != 0) desc->build_log[0] = '\0';
  struct syclze__status status = syclze__check_device_in(context.rep, device.rep);
  if (status.result != ZE_RESULT_SUCCESS) return syclze__finish(status, function, NULL);
  made.result = syclze__module_create(context.rep, device.rep, desc, &input.native_handle);
  if (made.result != ZE_RESULT_SUCCESS) return made.result;
  status = syclze__check_module(input.native_handle);
  if (status.result != ZE_RESULT_SUCCESS) {
    SYCLZE__ZE(zeModuleDestroy)(input.native_handle);
    return syclze__finish(status, function, NULL);
  }
  if (desc->format == ZE_MODULE_FORMAT_IL_SPIRV)
    SYCLZE__CHECK_BUILT(input.native_handle, desc->spirv, desc->size);
  made = syclze__kernel_bundle_new(&input, context.rep, status, function);
  bundle->rep = (struct syclze__kernel_bundle *)made.rep;
  if (bundle->rep == NULL) SYCLZE__ZE(zeModuleDestroy)(input.native_handle);
  return made.result;
}

SYCLZE_COLD ze_result_t syclze_kernel_bundle_create(syclze_context context, syclze_device device,
    const syclze_kernel_bundle_desc *desc, syclze_kernel_bundle *bundle) {
  SYCLZE__RETURN_IF_TRACED(kernel_bundle_create, context, device, desc, bundle);
  return syclze__kernel_bundle_create_impl(context, device, desc, bundle);
}

SYCLZE_COLD ze_result_t syclze_kernel_bundle_set_owner(
    syclze_kernel_bundle bundle, syclze_owner owner) {
  SYCLZE__OWNER_SET(kernel_bundle, bundle, bundle.rep->modules[0],
      bundle.rep->attachment != NULL ? "what the module needs ends with the bundle" : NULL);
}

SYCLZE_COLD syclze_owner syclze_kernel_bundle_get_owner(syclze_kernel_bundle bundle) {
  return syclze__owner_get(&bundle.rep->parent.ref);
}

#endif

SYCLZE_EXTERN_C_END

#endif
