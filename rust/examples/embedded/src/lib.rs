// SPDX-License-Identifier: Apache-2.0
//! A static library for firmware: one function of C that seals a reading with Ascon-AEAD128, in
//! place and without an allocator.

#![no_std]

use hanji::aead::{AeadInOut, KeyInit};
use hanji::authenticated::AsconAead128;

/// Stop: firmware has nobody to tell.
#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    loop {}
}

/// Seal `bytes` bytes of `text` in place, and write the tag of 16 bytes; 0, or -1 when it fails.
///
/// # Safety
/// `text` has `bytes` bytes, `tag`, `nonce` and `key` have 16 each; none overlaps another.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn seal_reading(
    text: *mut u8,
    bytes: usize,
    tag: &mut [u8; 16],
    nonce: &[u8; 16],
    key: &[u8; 16],
) -> i32 {
    // SAFETY: the caller says so.
    let text = unsafe { core::slice::from_raw_parts_mut(text, bytes) };
    let cipher = AsconAead128::new(&(*key).into());
    match cipher.encrypt_inout_detached(&(*nonce).into(), b"", text.into()) {
        Ok(made) => {
            tag.copy_from_slice(&made);
            0
        }
        Err(_) => -1,
    }
}
