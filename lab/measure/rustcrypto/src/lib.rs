// SPDX-License-Identifier: Apache-2.0
//! RustCrypto's Ascon-AEAD128 and Ascon-Hash256 with the signatures of hanji's C functions, and
//! times of two such functions in turns.
use ascon_aead::aead::inout::InOutBuf;
use ascon_aead::aead::{AeadInOut, KeyInit};
use ascon_aead::AsconAead128;
use ascon_hash256::digest::Digest;
use ascon_hash256::AsconHash256;
use std::time::Instant;

type Seal =
    unsafe extern "C" fn(*mut u8, *const u8, usize, *const u8, usize, *const u8, *const u8) -> i32;
type Hash = unsafe extern "C" fn(*mut u8, *const u8, usize) -> i32;

unsafe fn bytes<'a>(at: *const u8, size: usize) -> &'a [u8] {
    if size == 0 {
        &[]
    } else {
        std::slice::from_raw_parts(at, size)
    }
}

/// `out` has 16 bytes more than the text.
///
/// # Safety
/// As of the C function: pointers reach as far as the sizes say.
#[no_mangle]
pub unsafe extern "C" fn beside_seal(
    out: *mut u8,
    text: *const u8,
    size: usize,
    ad: *const u8,
    ad_size: usize,
    nonce: *const u8,
    key: *const u8,
) -> i32 {
    let key: [u8; 16] = *(key as *const [u8; 16]);
    let nonce: [u8; 16] = *(nonce as *const [u8; 16]);
    let text = if size == 0 { out as *const u8 } else { text };
    let buffer = InOutBuf::from_raw(text, out, size);
    match AsconAead128::new(&key.into()).encrypt_inout_detached(
        &nonce.into(),
        bytes(ad, ad_size),
        buffer,
    ) {
        Ok(tag) => {
            std::ptr::copy_nonoverlapping(tag.as_ptr(), out.add(size), 16);
            0
        }
        Err(_) => -1,
    }
}

/// # Safety
/// As of the C function: 32 bytes at `out`, `size` at `text`.
#[no_mangle]
pub unsafe extern "C" fn beside_hash(out: *mut u8, text: *const u8, size: usize) -> i32 {
    let digest = AsconHash256::digest(bytes(text, size));
    std::ptr::copy_nonoverlapping(digest.as_ptr(), out, 32);
    0
}

/// The least nanoseconds of a call of `ours` and of RustCrypto's, in `turns` turns of `calls`
/// calls each, for a text of `size` bytes: to `least`. A number that is not 0: a call failed.
///
/// # Safety
/// `ours_seal` and `ours_hash` are hanji's functions; one of them may be absent.
#[no_mangle]
pub unsafe extern "C" fn beside_times(
    ours_seal: Option<Seal>,
    ours_hash: Option<Hash>,
    size: usize,
    calls: usize,
    turns: usize,
    least: *mut f64,
) -> i32 {
    let (text, key, nonce) = (vec![7u8; size], [1u8; 16], [2u8; 16]);
    let mut out = vec![0u8; size + 32];
    let mut failed = 0;
    for which in 0..2 {
        *least.add(which) = f64::MAX;
    }
    for _ in 0..turns {
        for which in 0..2 {
            let begin = Instant::now();
            for _ in 0..calls {
                failed |= if let Some(seal) = ours_seal {
                    let call: Seal = if which == 0 { seal } else { beside_seal };
                    call(
                        out.as_mut_ptr(),
                        text.as_ptr(),
                        size,
                        std::ptr::null(),
                        0,
                        nonce.as_ptr(),
                        key.as_ptr(),
                    )
                } else if let Some(hash) = ours_hash {
                    let call: Hash = if which == 0 { hash } else { beside_hash };
                    call(out.as_mut_ptr(), text.as_ptr(), size)
                } else {
                    1
                };
            }
            let here = begin.elapsed().as_nanos() as f64 / calls as f64;
            *least.add(which) = here.min(*least.add(which));
        }
    }
    failed
}
