// SPDX-License-Identifier: Apache-2.0
// Keccak-f[1600], one state in general registers, with the rotations (RORX) and the AND with a
// complement (ANDN) that do not overwrite what they read. Every processor of the tier has both
// (src/support/cpu.c).
// void hanji_keccak_avx2_x1(uint64_t *states);
/* kernel:
     spec: keccak.permute
     isa: avx2
     blocks: 1
     args: { states: {buffer: states, bytes: 200, access: rw} }
     aliasing: in place
     stack: compiler
     secrets: states
*/
#include "keccak/keccak.h"
#include "support/cpu.h"

#ifdef HANJI_X86
#include "keccak/keccak_rounds.h"
#include "keccak/keccak_words.h"

__attribute__((target("bmi,bmi2"))) void hanji_keccak_avx2_x1(uint64_t *states)
{
    K_PERMUTE;
}
#endif
