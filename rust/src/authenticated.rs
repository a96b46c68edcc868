// SPDX-License-Identifier: Apache-2.0
//! Authenticated encryption: Ascon-AEAD128 and four instances of SCHWAEMM, as [`aead::AeadInOut`].
//!
//! A nonce is used once per key, ever. A message whose tag does not match is never given out: the
//! buffer is zeroed. None of these algorithms commits to its key.

use crate::ffi;
#[allow(unused_imports)] // which sizes are used depends on the features
use aead::consts::{U16, U24, U32};
use aead::inout::InOutBuf;
use aead::{AeadCore, AeadInOut, Error, Key, KeyInit, KeySizeUser, Nonce, Tag, TagPosition};

macro_rules! aead_types {
    ($(
        $(#[$doc:meta])*
        $feature:literal $name:ident: $key:ty, $nonce:ty, $tag:ty, $seal:ident, $open:ident;
    )*) => { $(
        $(#[$doc])*
        #[cfg(feature = $feature)]
        #[derive(Clone)]
        pub struct $name {
            key: Key<Self>,
        }

        #[cfg(feature = $feature)]
        impl KeySizeUser for $name {
            type KeySize = $key;
        }

        #[cfg(feature = $feature)]
        impl KeyInit for $name {
            fn new(key: &Key<Self>) -> Self {
                Self { key: *key }
            }
        }

        #[cfg(feature = $feature)]
        impl AeadCore for $name {
            type NonceSize = $nonce;
            type TagSize = $tag;
            const TAG_POSITION: TagPosition = TagPosition::Postfix;
        }

        #[cfg(feature = $feature)]
        impl AeadInOut for $name {
            fn encrypt_inout_detached(
                &self,
                nonce: &Nonce<Self>,
                associated_data: &[u8],
                buffer: InOutBuf<'_, '_, u8>,
            ) -> Result<Tag<Self>, Error> {
                let mut tag = Tag::<Self>::default();
                seal(ffi::$seal, &mut tag, nonce, associated_data, buffer, &self.key)?;
                Ok(tag)
            }

            fn decrypt_inout_detached(
                &self,
                nonce: &Nonce<Self>,
                associated_data: &[u8],
                buffer: InOutBuf<'_, '_, u8>,
                tag: &Tag<Self>,
            ) -> Result<(), Error> {
                open(ffi::$open, tag, nonce, associated_data, buffer, &self.key)
            }
        }

        #[cfg(feature = $feature)]
        impl Drop for $name {
            fn drop(&mut self) {
                // SAFETY: the key belongs to `self` and has the length that is given.
                unsafe { ffi::hanji_wipe(self.key.as_mut_ptr().cast(), self.key.len()) }
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

fn seal(
    call: ffi::Seal,
    tag: &mut [u8],
    nonce: &[u8],
    ad: &[u8],
    buffer: InOutBuf<'_, '_, u8>,
    key: &[u8],
) -> Result<(), Error> {
    let bytes = buffer.len();
    let (plaintext, ciphertext) = buffer.into_raw();
    // SAFETY: both ends of the buffer have `bytes` bytes, and lie apart or begin together, which C
    // allows; tag, nonce and key have the sizes of the algorithm, by their types.
    let code = unsafe {
        call(
            ciphertext,
            tag.as_mut_ptr(),
            plaintext,
            bytes,
            ad.as_ptr(),
            ad.len(),
            nonce.as_ptr(),
            key.as_ptr(),
        )
    };
    if code == ffi::OK { Ok(()) } else { Err(Error) }
}

fn open(
    call: ffi::Open,
    tag: &[u8],
    nonce: &[u8],
    ad: &[u8],
    buffer: InOutBuf<'_, '_, u8>,
    key: &[u8],
) -> Result<(), Error> {
    let bytes = buffer.len();
    let (ciphertext, plaintext) = buffer.into_raw();
    // SAFETY: as in `seal`.
    let code = unsafe {
        call(
            plaintext,
            ciphertext,
            bytes,
            tag.as_ptr(),
            ad.as_ptr(),
            ad.len(),
            nonce.as_ptr(),
            key.as_ptr(),
        )
    };
    if code == ffi::OK { Ok(()) } else { Err(Error) }
}

aead_types! {
    /// Ascon-AEAD128 (NIST SP 800-232, section 4): key, nonce and tag of 16 bytes.
    ///
    /// ```
    /// # #[cfg(feature = "alloc")] {
    /// use hanji::aead::{Aead, KeyInit, Payload};
    /// use hanji::authenticated::AsconAead128;
    ///
    /// let cipher = AsconAead128::new(&[7; 16].into());
    /// let nonce = [1; 16].into(); // new for every message under a key
    /// let payload = Payload { msg: b"23.5 C", aad: b"sensor 7" };
    /// let mut sealed = cipher.encrypt(&nonce, payload).unwrap();
    /// assert_eq!(sealed.len(), 6 + 16);
    ///
    /// let payload = Payload { msg: &sealed, aad: b"sensor 7" };
    /// assert_eq!(cipher.decrypt(&nonce, payload).unwrap(), b"23.5 C");
    /// sealed[3] ^= 1;
    /// let payload = Payload { msg: &sealed, aad: b"sensor 7" };
    /// assert!(cipher.decrypt(&nonce, payload).is_err());
    /// # }
    /// ```
    "ascon" AsconAead128: U16, U16, U16,
        hanji_ascon_aead128_encrypt_detached, hanji_ascon_aead128_decrypt_detached;
    /// SCHWAEMM256-128: key and tag of 16 bytes, nonce of 32.
    "schwaemm" Schwaemm256_128: U16, U32, U16,
        hanji_schwaemm256_128_encrypt_detached, hanji_schwaemm256_128_decrypt_detached;
    /// SCHWAEMM192-192: key, nonce and tag of 24 bytes.
    "schwaemm" Schwaemm192_192: U24, U24, U24,
        hanji_schwaemm192_192_encrypt_detached, hanji_schwaemm192_192_decrypt_detached;
    /// SCHWAEMM128-128: key, nonce and tag of 16 bytes.
    "schwaemm" Schwaemm128_128: U16, U16, U16,
        hanji_schwaemm128_128_encrypt_detached, hanji_schwaemm128_128_decrypt_detached;
    /// SCHWAEMM256-256: key, nonce and tag of 32 bytes.
    "schwaemm" Schwaemm256_256: U32, U32, U32,
        hanji_schwaemm256_256_encrypt_detached, hanji_schwaemm256_256_decrypt_detached;
}
