/* Images: texture units sample them, and give what is read from images that are only read; the
 * others are surfaces, whose texels are encoded and decoded here. */
#include "library.h"
#include "../image.h"

typedef float float2 __attribute__((ext_vector_type(2)));
typedef float float4 __attribute__((ext_vector_type(4)));
typedef half half4 __attribute__((ext_vector_type(4)));
typedef int int2 __attribute__((ext_vector_type(2)));
typedef int int4 __attribute__((ext_vector_type(4)));
typedef const global struct zecl_ptx_image *image;
typedef const global void *sampler; /* a number */

/* ---- Components and channels */

static INLINE float component_f(float4 texel, uint source) {
  return source == 0   ? texel.x
         : source == 1 ? texel.y
         : source == 2 ? texel.z
         : source == 3 ? texel.w
         : source == 5 ? 1.0f
                       : 0.0f;
}

static INLINE int component_i(int4 texel, uint source) {
  return source == 0   ? texel.x
         : source == 1 ? texel.y
         : source == 2 ? texel.z
         : source == 3 ? texel.w
         : source == 5 ? 1
                       : 0;
}

static INLINE float4 components_f(image of, float4 texel) {
  if (of->is_plain) return texel;
  return (float4)(component_f(texel, of->source[0]), component_f(texel, of->source[1]),
      component_f(texel, of->source[2]), component_f(texel, of->source[3]));
}

static INLINE int4 components_i(image of, int4 texel) {
  if (of->is_plain) return texel;
  return (int4)(component_i(texel, of->source[0]), component_i(texel, of->source[1]),
      component_i(texel, of->source[2]), component_i(texel, of->source[3]));
}

static INLINE float4 channels_f(image of, float4 value) {
  if (of->is_plain) return value;
  return (float4)(component_f(value, of->component[0]), component_f(value, of->component[1]),
      component_f(value, of->component[2]), component_f(value, of->component[3]));
}

static INLINE int4 channels_i(image of, int4 value) {
  if (of->is_plain) return value;
  return (int4)(component_i(value, of->component[0]), component_i(value, of->component[1]),
      component_i(value, of->component[2]), component_i(value, of->component[3]));
}

/* Rounds to the nearest even. NaN becomes zero, and a value out of range the nearest in it. */
static INLINE int rounded(float value) {
  int result;
  __asm("cvt.rni.s32.f32 %0, %1;" : "=r"(result) : "f"(value));
  return result;
}

static INLINE int within(int value, int least, int most) {
  return value < least ? least : value > most ? most : value;
}

static INLINE uint half_of(float value) {
  ushort bits;
  __asm("cvt.rn.f16.f32 %0, %1;" : "=h"(bits) : "f"(value));
  return bits;
}

static INLINE float float_of_half(uint bits) {
  float value;
  __asm("cvt.f32.f16 %0, %1;" : "=f"(value) : "h"((ushort)bits));
  return value;
}

static INLINE uint float_bits(float value) {
  return __builtin_astype(value, uint);
}

static INLINE uint channel_of_float(uint channel, float value) {
  switch (channel) {
  case ZECL_PTX_UNORM8:
    return within(rounded(value * 255.0f), 0, 255);
  case ZECL_PTX_UNORM16:
    return within(rounded(value * 65535.0f), 0, 65535);
  case ZECL_PTX_SNORM8:
    return within(rounded(value * 127.0f), -127, 127) & 0xff;
  case ZECL_PTX_SNORM16:
    return within(rounded(value * 32767.0f), -32767, 32767) & 0xffff;
  case ZECL_PTX_HALF:
    return half_of(value);
  default:
    return float_bits(value);
  }
}

static INLINE uint channel_of_int(uint channel, int value) {
  const uint positive = (uint)value;
  switch (channel) {
  case ZECL_PTX_UINT8:
    return positive > 255 ? 255 : positive;
  case ZECL_PTX_UINT16:
    return positive > 65535 ? 65535 : positive;
  case ZECL_PTX_SINT8:
    return within(value, -128, 127) & 0xff;
  case ZECL_PTX_SINT16:
    return within(value, -32768, 32767) & 0xffff;
  default:
    return positive;
  }
}

static INLINE float float_of_channel(uint channel, uint bits) {
  float value;
  switch (channel) {
  case ZECL_PTX_UNORM8:
    return (float)bits / 255.0f;
  case ZECL_PTX_UNORM16:
    return (float)bits / 65535.0f;
  case ZECL_PTX_SNORM8:
    value = (float)(char)bits / 127.0f;
    return value < -1 ? -1 : value;
  case ZECL_PTX_SNORM16:
    value = (float)(short)bits / 32767.0f;
    return value < -1 ? -1 : value;
  case ZECL_PTX_HALF:
    return float_of_half(bits);
  default:
    return __builtin_astype(bits, float);
  }
}

static INLINE int int_of_channel(uint channel, uint bits) {
  return channel == ZECL_PTX_SINT8 ? (char)bits : channel == ZECL_PTX_SINT16 ? (short)bits : (int)bits;
}

/* Bytes of a channel. */
static INLINE uint channel_size(uint channel) {
  switch (channel) {
  case ZECL_PTX_UINT8:
  case ZECL_PTX_SINT8:
  case ZECL_PTX_UNORM8:
  case ZECL_PTX_SNORM8:
    return 1;
  case ZECL_PTX_UINT32:
  case ZECL_PTX_SINT32:
  case ZECL_PTX_FLOAT:
    return 4;
  default:
    return 2;
  }
}

/* Four channels as the words of a texel, and back: the last ones have no meaning where there are fewer
 * channels. */
static INLINE uint4 words_of(uint channel, uint4 c) {
  switch (channel_size(channel)) {
  case 1:
    return (uint4)(c.x | c.y << 8 | c.z << 16 | c.w << 24, 0, 0, 0);
  case 2:
    return (uint4)(c.x | c.y << 16, c.z | c.w << 16, 0, 0);
  default:
    return c;
  }
}

static INLINE uint4 channels_of(uint channel, uint4 w) {
  switch (channel_size(channel)) {
  case 1:
    return (uint4)(w.x & 0xff, w.x >> 8 & 0xff, w.x >> 16 & 0xff, w.x >> 24);
  case 2:
    return (uint4)(w.x & 0xffff, w.x >> 16, w.y & 0xffff, w.y >> 16);
  default:
    return w;
  }
}

static INLINE uint4 encode_f(image of, float4 value) {
  const float4 c = channels_f(of, value);
  const uint type = of->channel;
  return words_of(type, (uint4)(channel_of_float(type, c.x), channel_of_float(type, c.y),
                            channel_of_float(type, c.z), channel_of_float(type, c.w)));
}

static INLINE uint4 encode_i(image of, int4 value) {
  const int4 c = channels_i(of, value);
  const uint type = of->channel;
  return words_of(type, (uint4)(channel_of_int(type, c.x), channel_of_int(type, c.y),
                            channel_of_int(type, c.z), channel_of_int(type, c.w)));
}

static INLINE float4 decode_f(image of, uint4 words) {
  const uint type = of->channel;
  const uint4 c = channels_of(type, words);
  return components_f(of, (float4)(float_of_channel(type, c.x), float_of_channel(type, c.y),
                              float_of_channel(type, c.z), float_of_channel(type, c.w)));
}

static INLINE int4 decode_i(image of, uint4 words) {
  const uint type = of->channel;
  const uint4 c = channels_of(type, words);
  return components_i(of, (int4)(int_of_channel(type, c.x), int_of_channel(type, c.y),
                              int_of_channel(type, c.z), int_of_channel(type, c.w)));
}

/* ---- Texture units and surfaces, by the geometries of PTX. Each takes what its places name of x, y,
 * z and the layer; surfaces have x in bytes. */

#define DEFINE_TEXTURE(name, geometry, places)                                                     \
  static INLINE float4 texture_f_##name(ulong texture, float x, float y, float z, uint layer) {    \
    float a, b, c, d;                                                                              \
    __asm("tex." geometry ".v4.f32.f32 {%0, %1, %2, %3}, [%[texture], {" places "}];"              \
          : "=f"(a), "=f"(b), "=f"(c), "=f"(d)                                                     \
          : [texture] "l"(texture), [x] "f"(x), [y] "f"(y), [z] "f"(z), [layer] "r"(layer));       \
    return (float4)(a, b, c, d);                                                                   \
  }                                                                                                \
  static INLINE int4 texture_i_##name(ulong texture, float x, float y, float z, uint layer) {      \
    int a, b, c, d;                                                                                \
    __asm("tex." geometry ".v4.s32.f32 {%0, %1, %2, %3}, [%[texture], {" places "}];"              \
          : "=r"(a), "=r"(b), "=r"(c), "=r"(d)                                                     \
          : [texture] "l"(texture), [x] "f"(x), [y] "f"(y), [z] "f"(z), [layer] "r"(layer));       \
    return (int4)(a, b, c, d);                                                                     \
  }

/* Loads bypass the first-level cache, since an item may read what it wrote. */
#define LOAD(geometry, places, type, registers, ...)                                               \
  __asm volatile("suld.b." geometry ".cg." type ".zero {" registers "}, [%[surface], {" places     \
                 "}];"                                                                             \
                 : __VA_ARGS__                                                                     \
                 : [surface] "l"(of->surface), [x] "r"(x), [y] "r"(y), [z] "r"(z),                 \
                 [layer] "r"(layer)                                                                \
                 : "memory")
#define STORE(geometry, places, type, registers)                                                   \
  __asm volatile("sust.b." geometry "." type ".zero [%[surface], {" places "}], {" registers "};"  \
                 :                                                                                 \
                 : [surface] "l"(of->surface), [x] "r"(x), [y] "r"(y), [z] "r"(z),                 \
                 [layer] "r"(layer), [a] "r"(w.x), [b] "r"(w.y), [c] "r"(w.z), [d] "r"(w.w),       \
                 [low] "h"((ushort)w.x)                                                            \
                 : "memory")

#define DEFINE_SURFACE(name, geometry, places)                                                     \
  static INLINE uint4 load_##name(image of, int x, int y, int z, uint layer) {                     \
    uint a = 0, b = 0, c = 0, d = 0;                                                               \
    ushort low;                                                                                    \
    x *= (int)of->texel_size;                                                                      \
    switch (of->texel_size) {                                                                      \
    case 1:                                                                                        \
      LOAD(geometry, places, "b8", "%0", "=h"(low));                                               \
      a = low & 0xff;                                                                              \
      break;                                                                                       \
    case 2:                                                                                        \
      LOAD(geometry, places, "b16", "%0", "=h"(low));                                              \
      a = low;                                                                                     \
      break;                                                                                       \
    case 4:                                                                                        \
      LOAD(geometry, places, "b32", "%0", "=r"(a));                                                \
      break;                                                                                       \
    case 8:                                                                                        \
      LOAD(geometry, places, "v2.b32", "%0, %1", "=r"(a), "=r"(b));                                \
      break;                                                                                       \
    default:                                                                                       \
      LOAD(geometry, places, "v4.b32", "%0, %1, %2, %3", "=r"(a), "=r"(b), "=r"(c), "=r"(d));      \
    }                                                                                              \
    return (uint4)(a, b, c, d);                                                                    \
  }                                                                                                \
  static INLINE void store_##name(image of, int x, int y, int z, uint layer, uint4 w) {            \
    x *= (int)of->texel_size;                                                                      \
    switch (of->texel_size) {                                                                      \
    case 1:                                                                                        \
      STORE(geometry, places, "b8", "%[low]");                                                     \
      break;                                                                                       \
    case 2:                                                                                        \
      STORE(geometry, places, "b16", "%[low]");                                                    \
      break;                                                                                       \
    case 4:                                                                                        \
      STORE(geometry, places, "b32", "%[a]");                                                      \
      break;                                                                                       \
    case 8:                                                                                        \
      STORE(geometry, places, "v2.b32", "%[a], %[b]");                                             \
      break;                                                                                       \
    default:                                                                                       \
      STORE(geometry, places, "v4.b32", "%[a], %[b], %[c], %[d]");                                 \
    }                                                                                              \
  }

#define DEFINE_GEOMETRY(name, geometry, places)                                                    \
  DEFINE_TEXTURE(name, geometry, places)                                                           \
  DEFINE_SURFACE(name, geometry, places)

DEFINE_GEOMETRY(1d, "1d", "%[x]")
DEFINE_GEOMETRY(2d, "2d", "%[x], %[y]")
DEFINE_GEOMETRY(3d, "3d", "%[x], %[y], %[z], %[z]")
DEFINE_GEOMETRY(1d_array, "a1d", "%[layer], %[x]")
DEFINE_GEOMETRY(2d_array, "a2d", "%[layer], %[x], %[y], %[y]")

/* ---- OpenCL's functions, by the names that compilers give them */

static INLINE uint layer_of(float place, uint layers) {
  const int layer = rounded(place);
  return (uint)within(layer, 0, (int)layers - 1);
}

/* x, y, z and the layer of the coordinates `at` of an image `of`, as floats and as integers. */
#define FLOATS_1d at, 0, 0, 0
#define FLOATS_2d at.x, at.y, 0, 0
#define FLOATS_3d at.x, at.y, at.z, 0
#define FLOATS_1d_array at.x, 0, 0, layer_of(at.y, of->size[1])
#define FLOATS_2d_array at.x, at.y, 0, layer_of(at.z, of->size[2])
#define MIDDLE(x) ((float)(x) + 0.5f)
#define MIDDLES_1d MIDDLE(at), 0, 0, 0
#define MIDDLES_2d MIDDLE(at.x), MIDDLE(at.y), 0, 0
#define MIDDLES_3d MIDDLE(at.x), MIDDLE(at.y), MIDDLE(at.z), 0
#define MIDDLES_1d_array MIDDLE(at.x), 0, 0, (uint)within(at.y, 0, (int)of->size[1] - 1)
#define MIDDLES_2d_array MIDDLE(at.x), MIDDLE(at.y), 0, (uint)within(at.z, 0, (int)of->size[2] - 1)
#define INTS_1d at, 0, 0, 0
#define INTS_2d at.x, at.y, 0, 0
#define INTS_3d at.x, at.y, at.z, 0
#define INTS_1d_array at.x, 0, 0, (uint)at.y
#define INTS_2d_array at.x, at.y, 0, (uint)at.z

/* k: f, i, ui or h; `as` makes what it returns of a texel of floats (f) or integers (i). */
#define SAMPLED(k, length, T, as, family, type, name, cfloat, nfloat, cint, nint)                  \
  T sampled_##k##_##type(image of, sampler with, cfloat at) __asm(                                 \
      "_Z" length "read_image" #k name "_ro11ocl_sampler" nfloat);                                 \
  T sampled_##k##_##type(image of, sampler with, cfloat at) {                                      \
    return as(components_##family(of,                                                              \
        texture_##family##_##type(                                                                 \
            of->textures[ZECL_PTX_TEXTURE_OF((uint)(ulong)with)], FLOATS_##type)));                \
  }                                                                                                \
  T level_##k##_##type(image of, sampler with, cfloat at, float level) __asm(                      \
      "_Z" length "read_image" #k name "_ro11ocl_sampler" nfloat "f");                             \
  T level_##k##_##type(image of, sampler with, cfloat at, float level) {                           \
    return sampled_##k##_##type(of, with, at);                                                     \
  }                                                                                                \
  T picked_##k##_##type(image of, sampler with, cint at) __asm(                                    \
      "_Z" length "read_image" #k name "_ro11ocl_sampler" nint);                                   \
  T picked_##k##_##type(image of, sampler with, cint at) {                                         \
    return as(components_##family(of,                                                              \
        texture_##family##_##type(                                                                 \
            of->textures[ZECL_PTX_TEXTURE_OF((uint)(ulong)with)], MIDDLES_##type)));               \
  }

/* Reads of an image that is read-only, and of one that is written too. */
#define READ(k, length, T, as, family, label, type, name, cint, nint)                              \
  T read_##k##_##label(image of, cint at) __asm("_Z" length "read_image" #k name "_ro" nint);      \
  T read_##k##_##label(image of, cint at) {                                                        \
    return as(                                                                                     \
        components_##family(of, texture_##family##_##type(of->textures[0], MIDDLES_##type)));      \
  }                                                                                                \
  T reread_##k##_##label(image of, cint at) __asm("_Z" length "read_image" #k name "_rw" nint);    \
  T reread_##k##_##label(image of, cint at) {                                                      \
    return as(decode_##family(of, load_##type(of, INTS_##type)));                                  \
  }

#define WRITE(k, length, T, as, family, label, type, name, cint, nint, nvalue, access)             \
  void write_##k##_##label##_##access(image of, cint at, T value) __asm(                           \
      "_Z" length "write_image" #k name "_" #access nint nvalue);                                  \
  void write_##k##_##label##_##access(image of, cint at, T value) {                                \
    store_##type(of, INTS_##type, encode_##family(of, as(value)));                                 \
  }

#define AS_IS(value) (value)
#define TO_HALF(value) __builtin_convertvector(value, half4)
#define FROM_HALF(value) __builtin_convertvector(value, float4)

#define SAMPLED_IMAGE(type, name, cfloat, nfloat, cint, nint)                                      \
  SAMPLED(f, "11", float4, AS_IS, f, type, name, cfloat, nfloat, cint, nint)                       \
  SAMPLED(i, "11", int4, AS_IS, i, type, name, cfloat, nfloat, cint, nint)                         \
  SAMPLED(ui, "12", int4, AS_IS, i, type, name, cfloat, nfloat, cint, nint)                        \
  SAMPLED(h, "11", half4, TO_HALF, f, type, name, cfloat, nfloat, cint, nint)

/* `nsame` is how the type of a value is written that is int4: behind coordinates of that type it is a
 * reference to it. */
#define PLAIN_IMAGE(label, type, name, cint, nint, nsame)                                          \
  READ(f, "11", float4, AS_IS, f, label, type, name, cint, nint)                                   \
  READ(i, "11", int4, AS_IS, i, label, type, name, cint, nint)                                     \
  READ(ui, "12", int4, AS_IS, i, label, type, name, cint, nint)                                    \
  READ(h, "11", half4, TO_HALF, f, label, type, name, cint, nint)                                  \
  WRITABLE_IMAGE(label, type, name, cint, nint, nsame, wo)                                         \
  WRITABLE_IMAGE(label, type, name, cint, nint, nsame, rw)

#define WRITABLE_IMAGE(label, type, name, cint, nint, nsame, access)                               \
  WRITE(f, "12", float4, AS_IS, f, label, type, name, cint, nint, "Dv4_f", access)                 \
  WRITE(i, "12", int4, AS_IS, i, label, type, name, cint, nint, nsame, access)                     \
  WRITE(ui, "13", int4, AS_IS, i, label, type, name, cint, nint, "Dv4_j", access)                  \
  WRITE(h, "12", half4, FROM_HALF, f, label, type, name, cint, nint, "Dv4_Dh", access)

SAMPLED_IMAGE(1d, "14ocl_image1d", float, "f", int, "i")
SAMPLED_IMAGE(2d, "14ocl_image2d", float2, "Dv2_f", int2, "Dv2_i")
SAMPLED_IMAGE(3d, "14ocl_image3d", float4, "Dv4_f", int4, "Dv4_i")
SAMPLED_IMAGE(1d_array, "20ocl_image1d_array", float2, "Dv2_f", int2, "Dv2_i")
SAMPLED_IMAGE(2d_array, "20ocl_image2d_array", float4, "Dv4_f", int4, "Dv4_i")
PLAIN_IMAGE(1d, 1d, "14ocl_image1d", int, "i", "Dv4_i")
PLAIN_IMAGE(buffer, 1d, "21ocl_image1d_buffer", int, "i", "Dv4_i")
PLAIN_IMAGE(2d, 2d, "14ocl_image2d", int2, "Dv2_i", "Dv4_i")
PLAIN_IMAGE(3d, 3d, "14ocl_image3d", int4, "Dv4_i", "S0_")
PLAIN_IMAGE(1d_array, 1d_array, "20ocl_image1d_array", int2, "Dv2_i", "Dv4_i")
PLAIN_IMAGE(2d_array, 2d_array, "20ocl_image2d_array", int4, "Dv4_i", "S0_")

#define QUERY(T, length, what, label, name, access, value)                                         \
  PURE T what##_##label##_##access(image of) __asm("_Z" length "get_image_" #what name "_" #access); \
  PURE T what##_##label##_##access(image of) {                                                     \
    return value;                                                                                  \
  }
#define QUERIES(label, name, access)                                                               \
  QUERY(int, "15", width, label, name, access, (int)of->size[0])                                   \
  QUERY(int, "27", channel_data_type, label, name, access, (int)of->opencl_type)                   \
  QUERY(int, "23", channel_order, label, name, access, (int)of->opencl_order)
#define QUERIES_OF_2D(label, name, access)                                                         \
  QUERY(int, "16", height, label, name, access, (int)of->size[1])                                  \
  QUERY(int2, "13", dim, label, name, access, (int2)((int)of->size[0], (int)of->size[1]))
#define QUERIES_OF_3D(label, name, access)                                                         \
  QUERY(int, "16", height, label, name, access, (int)of->size[1])                                  \
  QUERY(int, "15", depth, label, name, access, (int)of->size[2])                                   \
  QUERY(int4, "13", dim, label, name, access,                                                      \
      (int4)((int)of->size[0], (int)of->size[1], (int)of->size[2], 0))
#define QUERIES_BY_ACCESS(access)                                                                  \
  QUERIES(1d, "14ocl_image1d", access)                                                             \
  QUERIES(buffer, "21ocl_image1d_buffer", access)                                                  \
  QUERIES(2d, "14ocl_image2d", access)                                                             \
  QUERIES(3d, "14ocl_image3d", access)                                                             \
  QUERIES(1d_array, "20ocl_image1d_array", access)                                                 \
  QUERIES(2d_array, "20ocl_image2d_array", access)                                                 \
  QUERIES_OF_2D(2d, "14ocl_image2d", access)                                                       \
  QUERIES_OF_2D(2d_array, "20ocl_image2d_array", access)                                           \
  QUERIES_OF_3D(3d, "14ocl_image3d", access)                                                       \
  QUERY(size_t, "20", array_size, 1d_array, "20ocl_image1d_array", access, of->size[1])            \
  QUERY(size_t, "20", array_size, 2d_array, "20ocl_image2d_array", access, of->size[2])

QUERIES_BY_ACCESS(ro)
QUERIES_BY_ACCESS(wo)
QUERIES_BY_ACCESS(rw)

/* A sampler of the program itself. */
sampler __translate_sampler_initializer(int bits) {
  return (sampler)(ulong)(uint)bits;
}
