/* Generic pointers as DPC++'s programs use them: casts back to a kind of memory, and copies of one
 * structure from several kinds. Numbers beside them: functions that libclc 15 lacks. */
#pragma OPENCL EXTENSION cl_khr_fp16 : enable

typedef struct {
  int numbers[40];
} many;

/* The kind of memory: 1 global, 2 local, 4 private. */
__attribute__((noinline)) static int kind_of(int *at) {
  return (to_global(at) != 0) + 2 * (to_local(at) != 0) + 4 * (to_private(at) != 0);
}

__attribute__((noinline)) static int through(many *from, int place) {
  many copy = *from, again = copy;
  again.numbers[place & 3] += 1;
  return again.numbers[place] + copy.numbers[place];
}

kernel void kinds(global int *out, local int *shared) {
  int own = 5;
  out[0] = kind_of(out);
  out[1] = kind_of(shared);
  out[2] = kind_of(&own);
  *to_global(out + 3) = 7;
  *to_private(&own) += out[3];
  out[4] = own;
}

kernel void copies(global int *out, global many *from) {
  many own = *from;
  const int place = get_global_id(0);
  own.numbers[place] *= 3;
  out[place] = through(from, place) + through(&own, place);
}

kernel void numbers(global ulong *out, global const ulong *in, global const half *halves) {
  const size_t i = get_global_id(0);
  int exponent;
  half whole;
  const half part = frexp(halves[i], &exponent) + modf(halves[i], &whole);
  const half4 four = (half4)(halves[i], 1, INFINITY, -1);
  out[i * 4] = ctz(in[i]) + (isinf(four).z ? 1000 : 0) + (isless(four, (half4)(0)).y ? 1 : 0);
  out[i * 4 + 1] = ctz((uchar)in[i]);
  out[i * 4 + 2] = ctz((uint2)(in[i], 4)).x + 100 * ctz((short)(in[i] >> 8));
  out[i * 4 + 3] =
      (ulong)(exponent + 100) * 1000000 + (ulong)whole * 10000 + convert_ulong(part * 1024);
}
