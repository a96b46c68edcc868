// SPDX-License-Identifier: Apache-2.0
//! Counter mode over the block ciphers of this crate, as [`cipher::StreamCipher`].

use super::HanjiCipher;
use crate::{ffi, must};
use cipher::inout::InOutBuf;
use cipher::typenum::Unsigned;
use cipher::{
    AlgorithmName, BlockSizeUser, InnerIvInit, Iv, IvSizeUser, StreamCipher, StreamCipherError,
};

/// Counter mode (NIST SP 800-38A, section 6.5): the counter is the whole block, big-endian.
///
/// It keeps the data limit of the key: past it, [`StreamCipherError`]. There is no integrity.
///
/// ```
/// # #[cfg(feature = "speck")] {
/// use hanji::cipher::{KeyIvInit, StreamCipher};
/// use hanji::{Ctr, block::Speck128_256};
///
/// let (key, first) = ([7; 32].into(), [0; 16].into());
/// let mut data = *b"23.5 C";
/// Ctr::<Speck128_256>::new(&key, &first).apply_keystream(&mut data);
/// Ctr::<Speck128_256>::new(&key, &first).apply_keystream(&mut data);
/// assert_eq!(&data, b"23.5 C");
/// # }
/// ```
pub struct Ctr<C: HanjiCipher> {
    cipher: C,
    ctx: ffi::CtrCtx,
}

// SAFETY: `block` of the context is set before each call and used by that call only.
unsafe impl<C: HanjiCipher + Send> Send for Ctr<C> {}

impl<C: HanjiCipher> cipher::common::InnerUser for Ctr<C> {
    type Inner = C;
}

impl<C: HanjiCipher> IvSizeUser for Ctr<C> {
    type IvSize = C::BlockSize;
}

impl<C: HanjiCipher> InnerIvInit for Ctr<C> {
    fn inner_iv_init(mut cipher: C, iv: &Iv<Self>) -> Self {
        let mut ctx = ffi::CtrCtx::EMPTY;
        // SAFETY: `iv` has the size of a block by its type; the context belongs to this function,
        // and the pointer to the cipher that it keeps is replaced before it is used again.
        must(unsafe { ffi::hanji_ctr_init(iv.as_ptr(), iv.len(), cipher.head_mut(), &mut ctx) });
        Self { cipher, ctx }
    }
}

impl<C: HanjiCipher> Ctr<C> {
    /// A call with the pointer to where the cipher lies now.
    fn update(&mut self, input: *const u8, out: *mut u8, bytes: usize) {
        self.ctx.block = self.cipher.head_mut();
        // SAFETY: both callers give `bytes` bytes that lie apart or begin together.
        must(unsafe { ffi::hanji_ctr_update(out, input, bytes, &mut self.ctx) });
    }
}

impl<C: HanjiCipher> StreamCipher for Ctr<C> {
    fn check_remaining(&self, data_len: usize) -> Result<(), StreamCipherError> {
        // A usize may have more bits than the counters that are left.
        let fresh = data_len.saturating_sub(self.ctx.keystream_left as usize);
        let blocks = fresh.div_ceil(<C as BlockSizeUser>::BlockSize::USIZE) as u64;
        // SAFETY: the head belongs to a keyed context.
        let remaining = unsafe { ffi::hanji_block_remaining(self.cipher.head()) };
        if blocks <= remaining.min(self.ctx.counters_left) {
            Ok(())
        } else {
            Err(StreamCipherError)
        }
    }

    /// It checks nevertheless: past the limit it panics instead of repeating the key stream.
    fn unchecked_apply_keystream_inout(&mut self, buf: InOutBuf<'_, '_, u8>) {
        let bytes = buf.len();
        let (input, out) = buf.into_raw();
        self.update(input, out, bytes);
    }

    /// It checks nevertheless: past the limit it panics instead of repeating the key stream.
    fn unchecked_write_keystream(&mut self, buf: &mut [u8]) {
        buf.fill(0);
        self.update(buf.as_ptr(), buf.as_mut_ptr(), buf.len());
    }
}

impl<C: HanjiCipher> Drop for Ctr<C> {
    fn drop(&mut self) {
        // SAFETY: the context belongs to `self`; it is erased, the cipher erases itself.
        unsafe { ffi::hanji_ctr_wipe(&mut self.ctx) }
    }
}

impl<C: HanjiCipher + AlgorithmName> AlgorithmName for Ctr<C> {
    fn write_alg_name(f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("Ctr<")?;
        C::write_alg_name(f)?;
        f.write_str(">")
    }
}

impl<C: HanjiCipher> core::fmt::Debug for Ctr<C> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("Ctr { .. }")
    }
}
