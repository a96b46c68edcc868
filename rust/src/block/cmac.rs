// SPDX-License-Identifier: Apache-2.0
//! CMAC over the block ciphers of this crate with blocks of 8 or 16 bytes, as [`digest::Mac`].

use super::HanjiCipher;
use crate::{ffi, must};
use cipher::typenum::Unsigned;
use digest::{FixedOutput, InnerInit, MacMarker, Output, OutputSizeUser, Update};

/// CMAC (NIST SP 800-38B): a tag as long as a block.
///
/// A block of another size than 8 or 16 bytes does not compile.
///
/// ```
/// # #[cfg(feature = "speck")] {
/// use hanji::digest::{KeyInit, Mac};
/// use hanji::{Cmac, block::Speck64_128};
///
/// let mut mac = Cmac::<Speck64_128>::new(&[7; 16].into());
/// mac.update(b"23.5 C");
/// let tag = mac.finalize();
/// assert_eq!(tag.as_bytes().len(), 8);
/// # }
/// ```
///
/// ```compile_fail
/// # #[cfg(feature = "speck")] {
/// use hanji::digest::KeyInit;
/// let mac = hanji::Cmac::<hanji::block::Speck32_64>::new(&[7; 8].into());
/// # }
/// # #[cfg(not(feature = "speck"))] compile_error!("nothing to refuse");
/// ```
#[derive(Clone)]
pub struct Cmac<C: HanjiCipher> {
    cipher: C,
    ctx: ffi::CmacCtx,
}

// SAFETY: `block` of the context is set before each call and used by that call only.
unsafe impl<C: HanjiCipher + Send> Send for Cmac<C> {}

impl<C: HanjiCipher> Cmac<C> {
    const TAKES_BLOCK: () = assert!(
        C::BlockSize::USIZE == 8 || C::BlockSize::USIZE == 16,
        "CMAC is for blocks of 8 or 16 bytes"
    );
}

impl<C: HanjiCipher> digest::common::InnerUser for Cmac<C> {
    type Inner = C;
}

impl<C: HanjiCipher> InnerInit for Cmac<C> {
    fn inner_init(mut cipher: C) -> Self {
        let () = Self::TAKES_BLOCK;
        let mut ctx = ffi::CmacCtx::EMPTY;
        // SAFETY: cipher and context belong to this function; the pointer to the cipher that the
        // context keeps is replaced before it is used again.
        must(unsafe { ffi::hanji_cmac_init(cipher.head_mut(), &mut ctx) });
        Self { cipher, ctx }
    }
}

impl<C: HanjiCipher> OutputSizeUser for Cmac<C> {
    type OutputSize = C::BlockSize;
}

impl<C: HanjiCipher> MacMarker for Cmac<C> {}

impl<C: HanjiCipher> Update for Cmac<C> {
    /// Panics past the data limit of the key.
    fn update(&mut self, data: &[u8]) {
        self.ctx.block = self.cipher.head_mut();
        // SAFETY: the slice is as long as it says; the context points to the cipher.
        must(unsafe { ffi::hanji_cmac_update(data.as_ptr(), data.len(), &mut self.ctx) });
    }
}

impl<C: HanjiCipher> FixedOutput for Cmac<C> {
    fn finalize_into(mut self, out: &mut Output<Self>) {
        self.ctx.block = self.cipher.head_mut();
        // SAFETY: the tag has the size of a block, by its type; the context points to the cipher.
        must(unsafe { ffi::hanji_cmac_final(out.as_mut_ptr(), out.len(), &mut self.ctx) });
    }
}

impl<C: HanjiCipher> Drop for Cmac<C> {
    fn drop(&mut self) {
        // SAFETY: the context belongs to `self`; it is erased, the cipher erases itself.
        unsafe { ffi::hanji_cmac_wipe(&mut self.ctx) }
    }
}

impl<C: HanjiCipher> core::fmt::Debug for Cmac<C> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("Cmac { .. }")
    }
}
