/* SPDX-License-Identifier: Apache-2.0 */
/* The permutations, or the block cipher, are in assembly. */
#if !(@PROCESSOR@)
#error "this amalgam has kernels for @ISA@: make it with the ISA of this processor, or without one"
#endif
#ifdef __cplusplus
#define KERNEL extern "C"
#else
#define KERNEL
#endif
