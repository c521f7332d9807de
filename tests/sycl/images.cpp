// Images of the program's in the runtime, and back in a host task.
#include "tests/sycl/support/natives.hpp"

namespace {

native_image new_image(ze_context_handle_t context) {
  ze_device_image_properties_t properties = {};
  properties.stype = ZE_STRUCTURE_TYPE_DEVICE_IMAGE_PROPERTIES;
  REQUIRE_ZE(zeDeviceGetImageProperties(native_device(), &properties));
  if (properties.maxImageDims2D == 0) throw unavailable("the engine has no images");
  ze_image_desc_t desc = {};
  desc.stype = ZE_STRUCTURE_TYPE_IMAGE_DESC;
  desc.type = ZE_IMAGE_TYPE_2D;
  desc.format = {ZE_IMAGE_FORMAT_LAYOUT_32_32_32_32, ZE_IMAGE_FORMAT_TYPE_FLOAT,
      ZE_IMAGE_FORMAT_SWIZZLE_R, ZE_IMAGE_FORMAT_SWIZZLE_G, ZE_IMAGE_FORMAT_SWIZZLE_B,
      ZE_IMAGE_FORMAT_SWIZZLE_A};
  desc.width = 8;
  desc.height = 4;
  desc.depth = 1;
  ze_image_handle_t handle = nullptr;
  REQUIRE_ZE(zeImageCreate(context, native_device(), &desc, &handle));
  return native_image(handle);
}

bool is_there(ze_context_handle_t context, ze_image_handle_t image) {
  return zeContextMakeImageResident(context, native_device(), image) !=
         ZE_RESULT_ERROR_INVALID_ARGUMENT;
}

void check_ownership(level_zero::ownership ownership) {
  native_context owner = new_context();
  auto context = sycl::make_context<backend>({owner.get(), {first_device()}, keep});
  native_image handle = new_image(owner.get());
  REQUIRE(is_there(owner.get(), handle.get()));
  {
    auto image = sycl::make_image<backend, 2>(
        {handle.get(), sycl::image_channel_order::rgba, sycl::image_channel_type::fp32,
            sycl::range<2>(8, 4), ownership},
        context, sycl::event{});
    REQUIRE(image.get_range() == sycl::range<2>(8, 4));
    REQUIRE(image.get_size() == 8 * 4 * 16);
  }
  bool was_kept = is_there(owner.get(), handle.get());
  if (!was_kept) handle.release();
  REQUIRE(was_kept == (ownership == keep));
}

} // namespace

SYCL_TEST(a_kept_image_stays) {
  check_ownership(keep);
}

SYCL_TEST(a_transferred_image_is_destroyed) {
  check_ownership(transfer);
}

TEST_MAIN(a_kept_image_stays, a_transferred_image_is_destroyed)
