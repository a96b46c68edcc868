// SPDX-License-Identifier: Apache-2.0
//! Hash functions as [`digest::Digest`], and extendable output as [`digest::ExtendableOutput`].
//!
//! Fast hashing only: not for passwords.

use crate::{ffi, must};
use core::fmt;
use digest::common::{AlgorithmName, BlockSizeUser};
#[allow(unused_imports)] // which sizes are used depends on the features
use digest::consts::{U8, U16, U24, U32, U48};
use digest::{
    CollisionResistance, ExtendableOutput, ExtendableOutputReset, FixedOutput, FixedOutputReset,
    HashMarker, Output, OutputSizeUser, Reset, Update, XofReader,
};

/// What all functions here have: a context that is begun, fed and wiped.
macro_rules! hash_context {
    ($feature:literal $name:ident $text:literal $context:ident $init:expr, $update:ident,
     $wipe:ident $rate:ty) => {
        #[cfg(feature = $feature)]
        impl Default for $name {
            fn default() -> Self {
                let mut ctx = ffi::$context::EMPTY;
                // SAFETY: the context has the layout of C and belongs to this function.
                must(unsafe { $init(&mut ctx) });
                Self { ctx }
            }
        }

        #[cfg(feature = $feature)]
        impl Update for $name {
            fn update(&mut self, data: &[u8]) {
                // SAFETY: the slice is as long as it says, and the context was begun.
                must(unsafe { ffi::$update(data.as_ptr(), data.len(), &mut self.ctx) });
            }
        }

        #[cfg(feature = $feature)]
        impl Drop for $name {
            fn drop(&mut self) {
                // SAFETY: the context belongs to `self`.
                unsafe { ffi::$wipe(&mut self.ctx) }
            }
        }

        #[cfg(feature = $feature)]
        impl BlockSizeUser for $name {
            type BlockSize = $rate;
        }

        #[cfg(feature = $feature)]
        impl HashMarker for $name {}

        #[cfg(feature = $feature)]
        impl AlgorithmName for $name {
            fn write_alg_name(f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str($text)
            }
        }

        #[cfg(feature = $feature)]
        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(concat!(stringify!($name), " { .. }"))
            }
        }
    };
}

macro_rules! hashes {
    ($(
        $(#[$doc:meta])*
        $feature:literal $name:ident $text:literal: $size:ty, $strength:ty, $rate:ty,
        $context:ident, $init:ident, $update:ident, $end:ident, $wipe:ident;
    )*) => { $(
        $(#[$doc])*
        #[cfg(feature = $feature)]
        #[derive(Clone)]
        pub struct $name {
            ctx: ffi::$context,
        }

        hash_context! { $feature $name $text $context ffi::$init, $update, $wipe $rate }

        #[cfg(feature = $feature)]
        impl OutputSizeUser for $name {
            type OutputSize = $size;
        }

        #[cfg(feature = $feature)]
        impl CollisionResistance for $name {
            type CollisionResistance = $strength;
        }

        #[cfg(feature = $feature)]
        impl FixedOutput for $name {
            fn finalize_into(mut self, out: &mut Output<Self>) {
                // SAFETY: `out` has the size of the digest, by its type.
                must(unsafe { ffi::$end(out.as_mut_ptr(), &mut self.ctx) });
            }
        }

        #[cfg(feature = $feature)]
        impl Reset for $name {
            fn reset(&mut self) {
                *self = Self::default();
            }
        }

        #[cfg(feature = $feature)]
        impl FixedOutputReset for $name {
            fn finalize_into_reset(&mut self, out: &mut Output<Self>) {
                core::mem::take(self).finalize_into(out);
            }
        }
    )* };
}

hashes! {
    /// Ascon-Hash256 (NIST SP 800-232, section 5): 32 bytes.
    ///
    /// ```
    /// use hanji::digest::Digest;
    /// use hanji::hash::AsconHash256;
    ///
    /// let mut hash = AsconHash256::new();
    /// hash.update(b"mulberry");
    /// hash.update(b" paper");
    /// assert_eq!(hash.finalize(), AsconHash256::digest(b"mulberry paper"));
    /// ```
    "ascon" AsconHash256 "Ascon-Hash256": U32, U16, U8, AsconHashCtx, hanji_ascon_hash256_init,
        hanji_ascon_hash256_update, hanji_ascon_hash256_final, hanji_ascon_hash_wipe;
    /// ESCH256: 32 bytes.
    "esch" Esch256 "Esch256": U32, U16, U16, EschCtx, hanji_esch256_init, hanji_esch256_update,
        hanji_esch256_final, hanji_esch_wipe;
    /// ESCH384: 48 bytes.
    "esch" Esch384 "Esch384": U48, U24, U16, EschCtx, hanji_esch384_init, hanji_esch384_update,
        hanji_esch384_final, hanji_esch_wipe;
}

macro_rules! xofs {
    ($(
        $(#[$doc:meta])*
        $feature:literal $name:ident $reader:ident $text:literal: $strength:ty, $rate:ty,
        $context:ident, $init:expr, $update:ident, $squeeze:ident, $wipe:ident;
    )*) => { $(
        $(#[$doc])*
        #[cfg(feature = $feature)]
        #[derive(Clone)]
        pub struct $name {
            ctx: ffi::$context,
        }

        hash_context! { $feature $name $text $context $init, $update, $wipe $rate }

        #[cfg(feature = $feature)]
        impl CollisionResistance for $name {
            type CollisionResistance = $strength;
        }

        #[doc = concat!("Output of [`", stringify!($name), "`].")]
        #[cfg(feature = $feature)]
        #[derive(Clone)]
        pub struct $reader {
            inner: $name,
        }

        #[cfg(feature = $feature)]
        impl XofReader for $reader {
            fn read(&mut self, buffer: &mut [u8]) {
                if !buffer.is_empty() {
                    let ctx = &mut self.inner.ctx;
                    // SAFETY: the slice is as long as it says, and the context was begun.
                    must(unsafe { ffi::$squeeze(buffer.as_mut_ptr(), buffer.len(), ctx) });
                }
            }
        }

        #[cfg(feature = $feature)]
        impl fmt::Debug for $reader {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(concat!(stringify!($reader), " { .. }"))
            }
        }

        #[cfg(feature = $feature)]
        impl ExtendableOutput for $name {
            type Reader = $reader;

            fn finalize_xof(self) -> $reader {
                $reader { inner: self }
            }
        }

        #[cfg(feature = $feature)]
        impl Reset for $name {
            fn reset(&mut self) {
                *self = Self::default();
            }
        }

        #[cfg(feature = $feature)]
        impl ExtendableOutputReset for $name {
            fn finalize_xof_reset(&mut self) -> $reader {
                core::mem::take(self).finalize_xof()
            }
        }
    )* };
}

/// Ascon-CXOF128 without a customization string.
#[cfg(feature = "ascon")]
unsafe fn cxof_without(ctx: *mut ffi::AsconHashCtx) -> i32 {
    // SAFETY: the caller's context, and an empty string.
    unsafe { ffi::hanji_ascon_cxof128_init(core::ptr::null(), 0, ctx) }
}

xofs! {
    /// Ascon-XOF128 (NIST SP 800-232, section 5): as many bytes as wanted.
    ///
    /// ```
    /// use hanji::digest::{ExtendableOutput, Update, XofReader};
    /// use hanji::hash::AsconXof128;
    ///
    /// let mut xof = AsconXof128::default();
    /// xof.update(b"mulberry paper");
    /// let mut out = [0; 100];
    /// xof.finalize_xof().read(&mut out);
    /// ```
    "ascon" AsconXof128 AsconXof128Reader "Ascon-XOF128": U16, U8, AsconHashCtx,
        ffi::hanji_ascon_xof128_init, hanji_ascon_xof128_update, hanji_ascon_xof128_squeeze,
        hanji_ascon_hash_wipe;
    /// Ascon-CXOF128: another function for each customization string, which
    /// [`digest::TryCustomizedInit`] takes; at most 256 bytes.
    "ascon" AsconCxof128 AsconCxof128Reader "Ascon-CXOF128": U16, U8, AsconHashCtx, cxof_without,
        hanji_ascon_cxof128_update, hanji_ascon_cxof128_squeeze, hanji_ascon_hash_wipe;
    /// XOESCH256, the extendable-output form of ESCH256.
    "esch" Xoesch256 Xoesch256Reader "Xoesch256": U16, U16, EschCtx, ffi::hanji_xoesch256_init,
        hanji_xoesch256_update, hanji_xoesch256_squeeze, hanji_esch_wipe;
    /// XOESCH384, the extendable-output form of ESCH384.
    "esch" Xoesch384 Xoesch384Reader "Xoesch384": U24, U16, EschCtx, ffi::hanji_xoesch384_init,
        hanji_xoesch384_update, hanji_xoesch384_squeeze, hanji_esch_wipe;
}

/// The customization string has more than 256 bytes.
#[cfg(feature = "ascon")]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CustomizationTooLong;

#[cfg(feature = "ascon")]
impl fmt::Display for CustomizationTooLong {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the customization string has more than 256 bytes; give a shorter one")
    }
}

#[cfg(feature = "ascon")]
impl core::error::Error for CustomizationTooLong {}

#[cfg(feature = "ascon")]
impl digest::TryCustomizedInit for AsconCxof128 {
    type Error = CustomizationTooLong;

    fn try_new_customized(customization: &[u8]) -> Result<Self, CustomizationTooLong> {
        let mut ctx = ffi::AsconHashCtx::EMPTY;
        // SAFETY: the slice is as long as it says; the context belongs to this function.
        let code = unsafe {
            ffi::hanji_ascon_cxof128_init(customization.as_ptr(), customization.len(), &mut ctx)
        };
        if code == ffi::OK { Ok(Self { ctx }) } else { Err(CustomizationTooLong) }
    }
}
