/* SPDX-License-Identifier: Apache-2.0 */
/* Ascon-p (NIST SP 800-232, section 3), in @ASCON@. */
KERNEL void hanji_ascon_p_@ISA@_x1(uint32_t *state, uint32_t rounds);
#define ascon_permute hanji_ascon_p_@ISA@_x1
enum { ASCON_P12 = 12, ASCON_P8 = 8 };
