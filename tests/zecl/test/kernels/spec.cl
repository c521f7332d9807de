/* Specialisation constants: 0 an int of 4, 1 a float of 2, 2 a double of 0.5, 3 a char of 1. */
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
int __attribute__((overloadable)) __spirv_SpecConstant(int, int);
float __attribute__((overloadable)) __spirv_SpecConstant(int, float);
double __attribute__((overloadable)) __spirv_SpecConstant(int, double);
char __attribute__((overloadable)) __spirv_SpecConstant(int, char);

__kernel void specialised(__global float *out) {
  size_t i = get_global_id(0);
  if (i == 0)
    out[0] = (float)__spirv_SpecConstant(0, 4);
  else if (i == 1)
    out[1] = __spirv_SpecConstant(1, 2.0f);
  else if (i == 2)
    out[2] = (float)__spirv_SpecConstant(2, 0.5);
  else
    out[3] = (float)__spirv_SpecConstant(3, (char)1);
}
