// SPDX-License-Identifier: Apache-2.0
// The multipliers of "Look-up the Rainbow" (Kwon, Kim, Sim, Lee, Seo, 2021), Fig. 7 and Fig. 8, for
// comparison only: 32 products by the constant w2 are added to the vector at x0. THE ROW OF THE
// TABLE IS FETCHED AT AN ADDRESS THAT SHOWS THE CONSTANT: never use them with secrets. Two
// misprints are put right: Fig. 7 line 6 loads into v30 and means v1; Fig. 8 line 18 masks with v3
// and means v31.
.text
.balign 16
table: // c * x in GF(16), row by row: Table 2 of the paper; the row "addi" is row 8 once more
.byte 0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15
.byte 0,2,3,1,8,10,11,9,12,14,15,13,4,6,7,5, 0,3,1,2,12,15,13,14,4,7,5,6,8,11,9,10
.byte 0,4,8,12,6,2,14,10,11,15,3,7,13,9,5,1, 0,5,10,15,2,7,8,13,3,6,9,12,1,4,11,14
.byte 0,6,11,13,14,8,5,3,7,1,12,10,9,15,2,4, 0,7,9,14,10,13,3,4,15,8,6,1,5,2,12,11
.byte 0,8,12,4,11,3,7,15,13,5,1,9,6,14,10,2, 0,9,14,7,15,6,1,8,5,12,11,2,10,3,4,13
.byte 0,10,15,5,3,9,12,6,1,11,14,4,2,8,13,7, 0,11,13,6,7,12,10,1,9,2,4,15,14,5,3,8
.byte 0,12,4,8,13,1,9,5,6,10,2,14,11,7,15,3, 0,13,6,11,9,4,15,2,14,3,8,5,7,10,1,12
.byte 0,14,7,9,5,11,2,12,10,4,13,3,15,1,8,6, 0,15,5,10,1,14,4,11,2,13,7,8,3,12,6,9
addi:
.byte 0,8,12,4,11,3,7,15,13,5,1,9,6,14,10,2

// void paper_gf16_multiply(uint8_t out[16], const uint8_t in[16], uint32_t constant): Fig. 7
.globl paper_gf16_multiply
paper_gf16_multiply:
    movi v31.16b, #15
    adr x4, table
    lsl w2, w2, #4
    add x4, x4, x2
    ld1 {v30.16b}, [x4]
    ld1 {v1.16b}, [x1]
    and v0.16b, v1.16b, v31.16b
    ushr v1.16b, v1.16b, #4
    tbl v0.16b, {v30.16b}, v0.16b
    tbl v1.16b, {v30.16b}, v1.16b
    shl v1.16b, v1.16b, #4
    eor v0.16b, v0.16b, v1.16b
    ld1 {v1.16b}, [x0]
    eor v1.16b, v1.16b, v0.16b
    st1 {v1.16b}, [x0]
    ret

// void paper_gf256_multiply(uint8_t out[32], const uint8_t in[32], uint32_t constant): Fig. 8
.globl paper_gf256_multiply
paper_gf256_multiply:
    movi v31.16b, #15
    and w4, w2, #15
    lsr w5, w2, #4
    adr x6, table
    lsl w4, w4, #4
    add x6, x6, x4
    adr x7, table
    lsl w5, w5, #4
    add x7, x7, x5
    ld1 {v30.16b}, [x6]
    ld1 {v29.16b}, [x7]
    adr x6, addi
    ld1 {v27.16b}, [x6]
    ld1 {v1.16b}, [x1], #16
    ld1 {v5.16b}, [x1], #16
    and v0.16b, v1.16b, v31.16b
    ushr v1.16b, v1.16b, #4
    and v4.16b, v5.16b, v31.16b
    ushr v5.16b, v5.16b, #4
    tbl v2.16b, {v30.16b}, v0.16b
    tbl v3.16b, {v29.16b}, v1.16b
    tbl v6.16b, {v30.16b}, v4.16b
    tbl v7.16b, {v29.16b}, v5.16b
    eor v0.16b, v0.16b, v1.16b
    eor v4.16b, v4.16b, v5.16b
    and w4, w2, #15
    lsr w5, w2, #4
    eor w4, w4, w5
    adr x6, table
    lsl w4, w4, #4
    add x6, x6, x4
    ld1 {v28.16b}, [x6]
    tbl v0.16b, {v28.16b}, v0.16b
    eor v0.16b, v0.16b, v2.16b
    tbl v4.16b, {v28.16b}, v4.16b
    eor v4.16b, v4.16b, v6.16b
    tbl v3.16b, {v27.16b}, v3.16b
    tbl v7.16b, {v27.16b}, v7.16b
    shl v0.16b, v0.16b, #4
    eor v0.16b, v0.16b, v2.16b
    eor v0.16b, v0.16b, v3.16b
    shl v4.16b, v4.16b, #4
    eor v4.16b, v4.16b, v6.16b
    eor v4.16b, v4.16b, v7.16b
    ld1 {v1.16b}, [x0], #16
    ld1 {v5.16b}, [x0], #16
    sub x0, x0, #32
    eor v1.16b, v1.16b, v0.16b
    eor v5.16b, v5.16b, v4.16b
    st1 {v1.16b}, [x0], #16
    st1 {v5.16b}, [x0], #16
    ret
