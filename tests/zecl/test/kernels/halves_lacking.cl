/* Functions of half precision that are of bits, or round otherwise, for test/halves.c. */
#pragma OPENCL EXTENSION cl_khr_fp16 : enable

kernel void lacking(global half *numbers, float value) {
  numbers[0] = nextafter(numbers[0], numbers[1]);
  numbers[1] = convert_half_rtz(value);
}
