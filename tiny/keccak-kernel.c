/* SPDX-License-Identifier: Apache-2.0 */
/* Keccak-f[1600] (FIPS 202, section 3), in @KECCAK@. */
typedef uint32_t keccak_half;
KERNEL void hanji_keccak_@ISA@_x1(keccak_half *state);
#define keccak_permute hanji_keccak_@ISA@_x1
