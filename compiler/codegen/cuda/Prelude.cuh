// What every generated kernel is written with. It needs no header, neither of CUDA nor of C++. Where AMP_SIMT is
// defined it names the header of an emulator, which gives the same words another meaning.
#ifdef AMP_SIMT
#include AMP_SIMT
#else
#define AMP_DEVICE static __device__ __forceinline__
#define AMP_KERNEL(threads) extern "C" __global__ void __launch_bounds__(threads)
#define AMP_ENTRY(name)
#define AMP_SHARED(type, name, count) __shared__ type name[count]
#endif

typedef signed char i8;
typedef unsigned char u8;
typedef short i16;
typedef unsigned short u16;
typedef int i32;
typedef unsigned int u32;
typedef long long i64;
typedef unsigned long long u64;

// Elements in memory whose values are computed in another type.
struct f16 {
  u16 bits;
};
struct bf16 {
  u16 bits;
};
struct i1 {
  u8 byte;
};

#ifndef AMP_SIMT
AMP_DEVICE i32 asInt(float value) { return __float_as_int(value); }
AMP_DEVICE float asFloat(i32 bits) { return __int_as_float(bits); }
AMP_DEVICE i64 asLong(double value) { return __double_as_longlong(value); }
AMP_DEVICE double asDouble(i64 bits) { return __longlong_as_double(bits); }
AMP_DEVICE float widen(f16 value) {
  float wide;
  asm("cvt.f32.f16 %0, %1;" : "=f"(wide) : "h"(value.bits));
  return wide;
}
AMP_DEVICE f16 toF16(float value) {
  f16 narrow;
  asm("cvt.rn.f16.f32 %0, %1;" : "=h"(narrow.bits) : "f"(value));
  return narrow;
}
#else
AMP_DEVICE i32 asInt(float value) { return simt::bits<i32>(value); }
AMP_DEVICE float asFloat(i32 bits) { return simt::bits<float>(bits); }
AMP_DEVICE i64 asLong(double value) { return simt::bits<i64>(value); }
AMP_DEVICE double asDouble(i64 bits) { return simt::bits<double>(bits); }
AMP_DEVICE float widen(f16 value) { return simt::widenF16(value.bits); }
AMP_DEVICE f16 toF16(float value) { return {simt::narrowF16(value)}; }
#endif

AMP_DEVICE float widen(bf16 value) { return asFloat((i32)((u32)value.bits << 16)); }

// To nearest even. A NaN is cut off and made quiet: rounding could carry its payload into infinity.
AMP_DEVICE bf16 toBf16(float value) {
  const u32 word = (u32)asInt(value);
  const u32 rounded = (word + 0x7fffu + (word >> 16 & 1u)) >> 16, quiet = word >> 16 | 0x40u;
  return {(u16)(value != value ? quiet : rounded)};
}

template <class T> AMP_DEVICE T load(const T *memory, u32 position) { return memory[position]; }
AMP_DEVICE float load(const f16 *memory, u32 position) { return widen(f16{memory[position].bits}); }
AMP_DEVICE float load(const bf16 *memory, u32 position) { return widen(bf16{memory[position].bits}); }
AMP_DEVICE bool load(const i1 *memory, u32 position) { return memory[position].byte != 0; }

template <class T, class V> AMP_DEVICE void store(T *memory, u32 position, V value) { memory[position] = (T)value; }
AMP_DEVICE void store(f16 *memory, u32 position, float value) { memory[position].bits = toF16(value).bits; }
AMP_DEVICE void store(bf16 *memory, u32 position, float value) { memory[position].bits = toBf16(value).bits; }
AMP_DEVICE void store(i1 *memory, u32 position, bool value) { memory[position].byte = value ? 1 : 0; }

// NaN wins.
template <class T> AMP_DEVICE T maximum(T lhs, T rhs) { return rhs > lhs || rhs != rhs ? rhs : lhs; }
template <class T> AMP_DEVICE T minimum(T lhs, T rhs) { return rhs < lhs || rhs != rhs ? rhs : lhs; }

// Each lane gets the same bits: what is added at a step is the same pair on both sides.
template <class T> AMP_DEVICE T warpSum(T value) {
  for (int distance = 16; distance > 0; distance >>= 1)
    value += __shfl_xor_sync(0xffffffffu, value, distance);
  return value;
}
template <class T> AMP_DEVICE T warpMaximum(T value) {
  for (int distance = 16; distance > 0; distance >>= 1)
    value = maximum(value, __shfl_xor_sync(0xffffffffu, value, distance));
  return value;
}

// The sum over a block of 256 threads, for each of them: warps, then their sums in order. `shared` holds 8 and serves
// one call: a second one might write what a slow warp still reads.
template <class T> AMP_DEVICE T blockSum(T value, T *shared) {
  value = warpSum(value);
  if ((threadIdx.x & 31) == 0)
    shared[threadIdx.x >> 5] = value;
  __syncthreads();
  T sum = shared[0];
  for (int warp = 1; warp < 8; ++warp)
    sum += shared[warp];
  return sum;
}
