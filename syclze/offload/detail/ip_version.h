/* Bodies of ip_version.h. */
#ifndef SYCLZE_OFFLOAD_DETAIL_IP_VERSION_H
#define SYCLZE_OFFLOAD_DETAIL_IP_VERSION_H

#include "../ip_version.h"

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

#if SYCLZE__BODIES

SYCLZE_COLD int syclze_ip_version_parse(syclze_text text, uint32_t *version) {
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

#endif

SYCLZE_EXTERN_C_END

#endif
