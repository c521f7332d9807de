/* An image for NVIDIA's target, PTX or a cubin, is chosen for a device of NVIDIA and run; on any
   other device it is refused with its reason. */
#define _GNU_SOURCE
#include "support/offload.h"
#include "support/works.h"

#include <unistd.h>

static const char ptx[] =
    ".version 7.0\n.target sm_70\n.address_size 64\n"
    ".visible .entry axpy(.param .u64 y, .param .u64 x, .param .f32 a, .param .u32 n)\n{\n"
    "  .reg .pred %p; .reg .f32 %f<4>; .reg .b32 %r<6>; .reg .b64 %d<6>;\n"
    "  ld.param.u64 %d1, [y];\n  ld.param.u64 %d2, [x];\n"
    "  ld.param.f32 %f1, [a];\n  ld.param.u32 %r1, [n];\n"
    "  mov.u32 %r2, %ctaid.x;\n  mov.u32 %r3, %ntid.x;\n  mov.u32 %r4, %tid.x;\n"
    "  mad.lo.u32 %r5, %r2, %r3, %r4;\n  setp.ge.u32 %p, %r5, %r1;\n  @%p ret;\n"
    "  mul.wide.u32 %d3, %r5, 4;\n  add.u64 %d4, %d1, %d3;\n  add.u64 %d5, %d2, %d3;\n"
    "  ld.global.f32 %f2, [%d4];\n  ld.global.f32 %f3, [%d5];\n"
    "  fma.rn.f32 %f2, %f1, %f3, %f2;\n  st.global.f32 [%d4], %f2;\n  ret;\n}\n";

static bool is_nvidia(const struct offload *o) {
  enum { NVIDIA = 0x10de };
  ze_device_properties_t properties = {.stype = ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES};
  CHECK_EQ(
      zeDeviceGetProperties(syclze_device_get_native(o->device), &properties), ZE_RESULT_SUCCESS);
  return properties.vendorId == NVIDIA;
}

static void add(struct offload *o, const void *bytes, size_t size) {
  static syclze_offload_string strings[2]; /* which the set's copy of the image refers to */
  static const char *const texts[] = {"triple", "nvptx64-nvidia-cuda", "symbols", "axpy"};
  for (int i = 0; i < 2; i++) {
    strings[i].key = syclze_text_of(texts[2 * i]);
    strings[i].value = syclze_bytes_of(texts[2 * i + 1], strlen(texts[2 * i + 1]));
  }
  syclze_offload_image image = syclze_offload_image_of(syclze_bytes_of(bytes, size));
  uint64_t serial;
  syclze_offload_image_set_strings(&image, strings, 2);
  CHECK_EQ(syclze_offload_set_add(o->set, &image, NULL, &serial), ZE_RESULT_SUCCESS);
}

static void run_axpy(const void *bytes, size_t size) {
  struct offload o;
  offload_begin(&o, NULL);
  add(&o, bytes, size);
  if (is_nvidia(&o)) {
    offload_run_axpy(&o, 2.0f);
  } else {
    const syclze_program_request request = {.kernel = "axpy"};
    syclze_kernel_bundle bundle;
    CHECK(syclze_program_get_bundle(o.program, o.device, &request, &bundle) != ZE_RESULT_SUCCESS);
  }
  offload_end(&o);
}

TEST(ptx_runs_on_devices_of_nvidia_only) { // shows offload 4
  run_axpy(ptx, sizeof ptx);
}

/* Assembled for the GPU at hand where CUDA's toolkit is installed. */
TEST(a_cubin_runs_on_devices_of_nvidia_only) { // shows offload 4
  static const char command[] =
      "PATH=$PATH:/usr/local/cuda/bin; cd \"$TEST_FOLDER\" || exit 1; arch=$(nvidia-smi "
      "--query-gpu=compute_cap --format=csv,noheader 2>/dev/null | head -n 1 | tr -d .); "
      "ptxas -arch=sm_${arch:-80} -o axpy.cubin axpy.ptx 2>/dev/null";
  char folder[] = "/tmp/syclze-nvidia-XXXXXX", path[64];
  CHECK(mkdtemp(folder) && setenv("TEST_FOLDER", folder, 1) == 0);
  snprintf(path, sizeof path, "%s/axpy.ptx", folder);
  FILE *file = fopen(path, "w");
  CHECK(file && fputs(ptx, file) >= 0 && fclose(file) == 0);
  const int status = system(command);
  unlink(path);
  if (status != 0) {
    rmdir(folder);
    SKIP("ptxas is not installed");
  }
  snprintf(path, sizeof path, "%s/axpy.cubin", folder);
  const struct given_file cubin = given_file(path);
  unlink(path);
  rmdir(folder);
  run_axpy(cubin.bytes, cubin.size);
  free(cubin.bytes);
}

TEST_MAIN(ptx_runs_on_devices_of_nvidia_only, a_cubin_runs_on_devices_of_nvidia_only)
