/* The version of a GPU's architecture as Intel's tools and drivers pack it into 32 bits: what
 * native code is for, and what ze_device_ip_version_ext_t says of a device.
 *
 *     uint32_t version = 0;
 *     if (syclze_ip_version_parse(syclze_text_of("12.60.7"), &version) == 3)
 *       printf("%x\n", version);
 */
#ifndef SYCLZE_OFFLOAD_IP_VERSION_H
#define SYCLZE_OFFLOAD_IP_VERSION_H

#include "../device_image.h"

SYCLZE_EXTERN_C_BEGIN

SYCLZE_INLINE uint32_t syclze_ip_version_of(
    uint32_t architecture, uint32_t release, uint32_t revision) {
  return architecture << 22 | release << 14 | revision;
}

SYCLZE_INLINE uint32_t syclze_ip_version_architecture(uint32_t version) {
  return version >> 22;
}

SYCLZE_INLINE uint32_t syclze_ip_version_release(uint32_t version) {
  return version >> 14 & 0xffu;
}

SYCLZE_INLINE uint32_t syclze_ip_version_revision(uint32_t version) {
  return version & 0x3fffu;
}

/* Reads "12.60.7" or "12.60", whose missing revision is 0. Returns how many numbers there were: 3
 * or 2; or 0 for any other text, such as a product's name. */
SYCLZE_INLINE int syclze_ip_version_parse(syclze_text text, uint32_t *version) {
  static const uint32_t limits[] = {0x3ffu, 0xffu, 0x3fffu};
  uint32_t numbers[3] = {0, 0, 0};
  int count = 0;
  size_t at = 0;
  do {
    size_t begin = at;
    for (; at < text.size && text.data[at] >= '0' && text.data[at] <= '9'; at++) {
      numbers[count] = numbers[count] * 10 + (uint32_t)(text.data[at] - '0');
      if (numbers[count] > limits[count]) return 0;
    }
    if (at == begin) return 0;
    count++;
  } while (count < 3 && at < text.size && text.data[at++] == '.');
  if (at != text.size || count < 2 || text.data[at - 1] == '.') return 0;
  *version = syclze_ip_version_of(numbers[0], numbers[1], numbers[2]);
  return count;
}

SYCLZE_EXTERN_C_END

#endif
