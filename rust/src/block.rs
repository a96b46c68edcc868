// SPDX-License-Identifier: Apache-2.0
//! Block ciphers as [`cipher::BlockCipherEncrypt`] and [`cipher::BlockCipherDecrypt`].
//!
//! Keys and blocks are in the library order, which is not the order in which papers print them, nor
//! that of the crate `speck-cipher`: printed strings of SPECK, SIMON and SIMECK are reversed as a
//! whole, those of CHAM word by word. A bare block cipher is no way to encrypt data; see `Ctr`.

// Modes without a cipher are of no use, but they compile.
#![cfg_attr(
    not(any(feature = "speck", feature = "simon", feature = "simeck", feature = "cham")),
    allow(unused_imports, dead_code)
)]

#[cfg(feature = "cmac")]
pub mod cmac;
#[cfg(feature = "ctr")]
pub mod ctr;

use crate::{ffi, must};
#[allow(unused_imports)] // which sizes are used depends on the features
use cipher::consts::{U4, U6, U8, U9, U12, U16, U18, U24, U32};
use cipher::inout::{InOut, InOutBuf};
use cipher::typenum::Unsigned;
use cipher::{
    AlgorithmName, Block, BlockCipherDecBackend, BlockCipherDecClosure, BlockCipherDecrypt,
    BlockCipherEncBackend, BlockCipherEncClosure, BlockCipherEncrypt, BlockSizeUser, Key, KeyInit,
    KeySizeUser, ParBlocks, ParBlocksSizeUser,
};

mod sealed {
    use crate::ffi;

    /// What a cipher of this crate has: the head of its context.
    pub trait Context {
        fn head(&self) -> &ffi::BlockHead;
        fn head_mut(&mut self) -> &mut ffi::BlockHead;
    }
}

/// The block ciphers of this crate; nobody else can implement it.
pub trait HanjiCipher: sealed::Context + KeyInit + BlockSizeUser + Clone {}

fn blocks_of<C: sealed::Context>(
    cipher: &C,
    input: *const u8,
    out: *mut u8,
    blocks: usize,
    decrypt: bool,
) {
    let call = if decrypt { ffi::hanji_block_decrypt } else { ffi::hanji_block_encrypt };
    // SAFETY: the callers give buffers of `blocks` blocks each, which lie apart or begin together;
    // the context was keyed when it was made.
    must(unsafe { call(out, input, blocks, cipher.head()) });
}

macro_rules! ciphers {
    ($(
        $feature:literal $name:ident $text:literal $block:ty, $key:ty, $function:ident,
        $round_key_bytes:literal;
    )*) => { $(
        #[cfg(feature = $feature)]
        unsafe extern "C" {
            fn $function() -> *const ffi::Cipher;
        }

        #[doc = concat!($text, " with its round keys, in the library's byte order.")]
        #[cfg(feature = $feature)]
        #[derive(Clone)]
        #[repr(C)]
        pub struct $name {
            head: ffi::BlockHead,
            round_keys: [u64; usize::div_ceil($round_key_bytes, 8)],
        }

        #[cfg(feature = $feature)]
        impl sealed::Context for $name {
            fn head(&self) -> &ffi::BlockHead {
                &self.head
            }
            fn head_mut(&mut self) -> &mut ffi::BlockHead {
                &mut self.head
            }
        }

        #[cfg(feature = $feature)]
        impl HanjiCipher for $name {}

        #[cfg(feature = $feature)]
        impl KeySizeUser for $name {
            type KeySize = $key;
        }

        #[cfg(feature = $feature)]
        impl BlockSizeUser for $name {
            type BlockSize = $block;
        }

        #[cfg(feature = $feature)]
        impl ParBlocksSizeUser for $name {
            type ParBlocksSize = U32;
        }

        #[cfg(feature = $feature)]
        impl KeyInit for $name {
            fn new(key: &Key<Self>) -> Self {
                let mut made = Self {
                    head: ffi::BlockHead::EMPTY,
                    round_keys: [0; usize::div_ceil($round_key_bytes, 8)],
                };
                let whole: *mut Self = &mut made;
                // SAFETY: the head is the first member, and C learns the size of the whole
                // context: it refuses one that is too small.
                must(unsafe {
                    ffi::hanji_block_init(
                        key.as_ptr(),
                        key.len(),
                        $function(),
                        whole.cast(),
                        size_of::<Self>(),
                    )
                });
                made
            }
        }

        #[cfg(feature = $feature)]
        impl BlockCipherEncrypt for $name {
            fn encrypt_with_backend(
                &self,
                f: impl BlockCipherEncClosure<BlockSize = Self::BlockSize>,
            ) {
                f.call(self);
            }
        }

        #[cfg(feature = $feature)]
        impl BlockCipherEncBackend for $name {
            fn encrypt_block(&self, block: InOut<'_, '_, Block<Self>>) {
                let (input, out) = block.into_raw();
                blocks_of(self, input.cast(), out.cast(), 1, false);
            }

            fn encrypt_par_blocks(&self, blocks: InOut<'_, '_, ParBlocks<Self>>) {
                let (input, out) = blocks.into_raw();
                let count = <Self as ParBlocksSizeUser>::ParBlocksSize::USIZE;
                blocks_of(self, input.cast(), out.cast(), count, false);
            }

            fn encrypt_tail_blocks(&self, blocks: InOutBuf<'_, '_, Block<Self>>) {
                let count = blocks.len();
                let (input, out) = blocks.into_raw();
                blocks_of(self, input.cast(), out.cast(), count, false);
            }
        }

        #[cfg(feature = $feature)]
        impl BlockCipherDecrypt for $name {
            fn decrypt_with_backend(
                &self,
                f: impl BlockCipherDecClosure<BlockSize = Self::BlockSize>,
            ) {
                f.call(self);
            }
        }

        #[cfg(feature = $feature)]
        impl BlockCipherDecBackend for $name {
            fn decrypt_block(&self, block: InOut<'_, '_, Block<Self>>) {
                let (input, out) = block.into_raw();
                blocks_of(self, input.cast(), out.cast(), 1, true);
            }

            fn decrypt_par_blocks(&self, blocks: InOut<'_, '_, ParBlocks<Self>>) {
                let (input, out) = blocks.into_raw();
                let count = <Self as ParBlocksSizeUser>::ParBlocksSize::USIZE;
                blocks_of(self, input.cast(), out.cast(), count, true);
            }

            fn decrypt_tail_blocks(&self, blocks: InOutBuf<'_, '_, Block<Self>>) {
                let count = blocks.len();
                let (input, out) = blocks.into_raw();
                blocks_of(self, input.cast(), out.cast(), count, true);
            }
        }

        #[cfg(feature = $feature)]
        impl Drop for $name {
            fn drop(&mut self) {
                let whole: *mut Self = self;
                // SAFETY: the context was keyed when it was made, so C knows its size.
                unsafe { ffi::hanji_block_wipe(whole.cast()) }
            }
        }

        #[cfg(feature = $feature)]
        impl AlgorithmName for $name {
            fn write_alg_name(f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                f.write_str($text)
            }
        }

        #[cfg(feature = $feature)]
        impl core::fmt::Debug for $name {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                f.write_str(concat!(stringify!($name), " { .. }"))
            }
        }
    )* };
}

ciphers! {
    "speck" Speck32_64 "SPECK-32/64" U4, U8, hanji_speck32_64, 44;
    "speck" Speck48_72 "SPECK-48/72" U6, U9, hanji_speck48_72, 88;
    "speck" Speck48_96 "SPECK-48/96" U6, U12, hanji_speck48_96, 92;
    "speck" Speck64_96 "SPECK-64/96" U8, U12, hanji_speck64_96, 104;
    "speck" Speck64_128 "SPECK-64/128" U8, U16, hanji_speck64_128, 108;
    "speck" Speck96_96 "SPECK-96/96" U12, U12, hanji_speck96_96, 224;
    "speck" Speck96_144 "SPECK-96/144" U12, U18, hanji_speck96_144, 232;
    "speck" Speck128_128 "SPECK-128/128" U16, U16, hanji_speck128_128, 256;
    "speck" Speck128_192 "SPECK-128/192" U16, U24, hanji_speck128_192, 264;
    "speck" Speck128_256 "SPECK-128/256" U16, U32, hanji_speck128_256, 272;
    "simon" Simon32_64 "SIMON-32/64" U4, U8, hanji_simon32_64, 64;
    "simon" Simon48_72 "SIMON-48/72" U6, U9, hanji_simon48_72, 144;
    "simon" Simon48_96 "SIMON-48/96" U6, U12, hanji_simon48_96, 144;
    "simon" Simon64_96 "SIMON-64/96" U8, U12, hanji_simon64_96, 168;
    "simon" Simon64_128 "SIMON-64/128" U8, U16, hanji_simon64_128, 176;
    "simon" Simon96_96 "SIMON-96/96" U12, U12, hanji_simon96_96, 416;
    "simon" Simon96_144 "SIMON-96/144" U12, U18, hanji_simon96_144, 432;
    "simon" Simon128_128 "SIMON-128/128" U16, U16, hanji_simon128_128, 544;
    "simon" Simon128_192 "SIMON-128/192" U16, U24, hanji_simon128_192, 552;
    "simon" Simon128_256 "SIMON-128/256" U16, U32, hanji_simon128_256, 576;
    "simeck" Simeck32_64 "SIMECK-32/64" U4, U8, hanji_simeck32_64, 64;
    "simeck" Simeck48_96 "SIMECK-48/96" U6, U12, hanji_simeck48_96, 144;
    "simeck" Simeck64_128 "SIMECK-64/128" U8, U16, hanji_simeck64_128, 176;
    "cham" Cham64_128 "CHAM-64/128" U8, U16, hanji_cham64_128, 32;
    "cham" Cham128_128 "CHAM-128/128" U16, U16, hanji_cham128_128, 32;
    "cham" Cham128_256 "CHAM-128/256" U16, U32, hanji_cham128_256, 64;
}
