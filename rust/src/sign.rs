// SPDX-License-Identifier: Apache-2.0
//! AIMer v3 signatures as [`signature::Signer`] and [`signature::Verifier`].
//!
//! Source: Kim et al., AIMer, version 3.0 (August 2026). No known attack, but young: both
//! generations before it are broken, and are not in this crate.

use crate::ffi;
use alloc::vec::Vec;
use alloc::{boxed::Box, vec};
use core::ffi::{CStr, c_void};
use core::marker::PhantomData;
use signature::rand_core::{CryptoRng, TryCryptoRng};
use signature::{Error, Keypair, RandomizedSigner, SignatureEncoding, Signer, Verifier};

/// A parameter set.
pub trait Set: Copy + Clone + core::fmt::Debug + PartialEq + Eq + Send + Sync + 'static {
    /// Its name, for example `aimer3-128f`.
    const NAME: &'static CStr;
}

macro_rules! sets {
    ($($name:ident $text:literal;)*) => { $(
        #[doc = concat!("The parameter set `", $text, "`.")]
        #[derive(Copy, Clone, Debug, PartialEq, Eq)]
        pub struct $name;

        impl Set for $name {
            const NAME: &'static CStr =
                match CStr::from_bytes_with_nul(concat!($text, "\0").as_bytes()) {
                    Ok(name) => name,
                    Err(_) => panic!("a name has no zero inside"),
                };
        }
    )* };
}

sets! {
    Aimer3_128f "aimer3-128f";
    Aimer3_128s "aimer3-128s";
    Aimer3_192f "aimer3-192f";
    Aimer3_192s "aimer3-192s";
    Aimer3_256f "aimer3-256f";
    Aimer3_256s "aimer3-256s";
}

fn set<S: Set>() -> *const ffi::Aimer {
    // SAFETY: the name ends with a zero.
    let found = unsafe { ffi::hanji_aimer_by_name(S::NAME.as_ptr()) };
    assert!(!found.is_null(), "the amalgam has no {:?}: it was made without it", S::NAME);
    found
}

/// Scratch memory; C erases what was secret in it.
fn scratch<S: Set>() -> Vec<u8> {
    // SAFETY: `set` gives a set.
    vec![0; unsafe { ffi::hanji_aimer_scratch_bytes(set::<S>()) }]
}

fn checked(code: i32) -> Result<(), Error> {
    if code == ffi::OK { Ok(()) } else { Err(Error::new()) }
}

/// What C calls for random bytes: `state` points to the generator of the call above.
unsafe extern "C" fn draw<R: TryCryptoRng + ?Sized>(
    out: *mut u8,
    bytes: usize,
    state: *mut c_void,
) -> i32 {
    // SAFETY: `state` is the reference to a generator that the caller of C holds during the call,
    // and C gives as many bytes as it says.
    let (rng, out) =
        unsafe { (&mut *state.cast::<&mut R>(), core::slice::from_raw_parts_mut(out, bytes)) };
    match rng.try_fill_bytes(out) {
        Ok(()) => ffi::OK,
        Err(_) => -5, // HANJI_E_RANDOM
    }
}

/// A signature of one parameter set.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Signature<S: Set> {
    bytes: Box<[u8]>,
    set: PhantomData<S>,
}

impl<S: Set> TryFrom<&[u8]> for Signature<S> {
    type Error = Error;

    fn try_from(bytes: &[u8]) -> Result<Self, Error> {
        // SAFETY: `set` gives a set.
        if bytes.len() != unsafe { ffi::hanji_aimer_signature_bytes(set::<S>()) } {
            return Err(Error::new());
        }
        Ok(Self { bytes: bytes.into(), set: PhantomData })
    }
}

impl<S: Set> From<Signature<S>> for Box<[u8]> {
    fn from(signature: Signature<S>) -> Self {
        signature.bytes
    }
}

impl<S: Set> SignatureEncoding for Signature<S> {
    type Repr = Box<[u8]>;
}

/// A public key.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct VerifyingKey<S: Set> {
    bytes: Box<[u8]>,
    set: PhantomData<S>,
}

impl<S: Set> VerifyingKey<S> {
    /// A key from its bytes; an error when they are not as many as a key of this set has.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, Error> {
        // SAFETY: `set` gives a set.
        if bytes.len() != unsafe { ffi::hanji_aimer_public_key_bytes(set::<S>()) } {
            return Err(Error::new());
        }
        Ok(Self { bytes: bytes.into(), set: PhantomData })
    }

    /// The bytes of the key.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Verify with the context string that the signer gave, at most 255 bytes.
    pub fn verify_with_context(
        &self,
        message: &[u8],
        context: &[u8],
        signature: &Signature<S>,
    ) -> Result<(), Error> {
        let mut room = scratch::<S>();
        // SAFETY: every slice is as long as it says.
        checked(unsafe {
            ffi::hanji_aimer_verify(
                signature.bytes.as_ptr(),
                signature.bytes.len(),
                message.as_ptr(),
                message.len(),
                context.as_ptr(),
                context.len(),
                self.bytes.as_ptr(),
                self.bytes.len(),
                set::<S>(),
                room.as_mut_ptr().cast(),
                room.len(),
            )
        })
    }
}

impl<S: Set> Verifier<Signature<S>> for VerifyingKey<S> {
    fn verify(&self, message: &[u8], signature: &Signature<S>) -> Result<(), Error> {
        self.verify_with_context(message, b"", signature)
    }
}

/// A secret key; it is erased when it goes.
///
/// [`Signer`] signs without random bytes, so that the same message has the same signature;
/// [`RandomizedSigner`] takes them from a generator, which is the better choice where there is one.
///
/// ```
/// use hanji::sign::{Aimer3_128f, SigningKey};
/// use hanji::signature::{Keypair, Signer, Verifier};
/// # struct Counter(u8);
/// # impl hanji::signature::rand_core::TryRng for Counter {
/// #     type Error = core::convert::Infallible;
/// #     fn try_next_u32(&mut self) -> Result<u32, Self::Error> { Ok(4) }
/// #     fn try_next_u64(&mut self) -> Result<u64, Self::Error> { Ok(4) }
/// #     fn try_fill_bytes(&mut self, out: &mut [u8]) -> Result<(), Self::Error> {
/// #         for byte in out { self.0 = self.0.wrapping_mul(5).wrapping_add(3); *byte = self.0; }
/// #         Ok(())
/// #     }
/// # }
/// # impl hanji::signature::rand_core::TryCryptoRng for Counter {}
/// # let mut rng = Counter(1);
/// let key = SigningKey::<Aimer3_128f>::generate(&mut rng)?; // any `CryptoRng`
/// let signature = key.sign(b"firmware 7");
/// assert!(key.verifying_key().verify(b"firmware 7", &signature).is_ok());
/// assert!(key.verifying_key().verify(b"firmware 8", &signature).is_err());
///
/// let public = key.verifying_key();
/// let again = SigningKey::<Aimer3_128f>::from_bytes(key.as_bytes(), public.as_bytes())?;
/// assert_eq!(again.sign(b"firmware 7"), signature);
/// let other = SigningKey::<Aimer3_128f>::generate(&mut rng)?.verifying_key();
/// assert!(SigningKey::<Aimer3_128f>::from_bytes(key.as_bytes(), other.as_bytes()).is_err());
/// # Ok::<(), hanji::signature::Error>(())
/// ```
pub struct SigningKey<S: Set> {
    secret: Box<[u8]>,
    public: VerifyingKey<S>,
}

const DETERMINISTIC: u32 = 2; // HANJI_AIMER_DETERMINISTIC

impl<S: Set> SigningKey<S> {
    /// A new key pair with random bytes of `rng`.
    pub fn generate<R: CryptoRng + ?Sized>(rng: &mut R) -> Result<Self, Error> {
        let set = set::<S>();
        let mut rng: &mut R = rng;
        let mut room = scratch::<S>();
        // SAFETY: `set` is a set.
        let (public_bytes, secret_bytes) = unsafe {
            (ffi::hanji_aimer_public_key_bytes(set), ffi::hanji_aimer_secret_key_bytes(set))
        };
        let mut made = Self {
            secret: vec![0; secret_bytes].into(),
            public: VerifyingKey { bytes: vec![0; public_bytes].into(), set: PhantomData },
        };
        let state: *mut &mut R = &mut rng;
        // SAFETY: both keys have the sizes of the set; `state` outlives the call.
        checked(unsafe {
            ffi::hanji_aimer_keypair(
                made.public.bytes.as_mut_ptr(),
                made.secret.as_mut_ptr(),
                set,
                draw::<R>,
                state.cast(),
                room.as_mut_ptr().cast(),
                room.len(),
            )
        })?;
        Ok(made)
    }

    /// A key from the bytes of its secret and its public half; an error when they do not belong
    /// together or are no key of this set.
    pub fn from_bytes(secret: &[u8], public: &[u8]) -> Result<Self, Error> {
        let public = VerifyingKey::from_bytes(public)?;
        let set = set::<S>();
        let mut room = scratch::<S>();
        // SAFETY: every slice is as long as it says.
        checked(unsafe {
            ffi::hanji_aimer_key_check(
                secret.as_ptr(),
                secret.len(),
                set,
                room.as_mut_ptr().cast(),
                room.len(),
            )
        })?;
        // A secret key ends with its public half.
        if !secret.ends_with(public.as_bytes()) {
            return Err(Error::new());
        }
        Ok(Self { secret: secret.into(), public })
    }

    /// The bytes of the secret key, which contain those of the public one.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        &self.secret
    }

    /// Sign with a context string of at most 255 bytes, which the verifier must give, too.
    pub fn sign_with_context<R: TryCryptoRng + ?Sized>(
        &self,
        rng: &mut R,
        message: &[u8],
        context: &[u8],
    ) -> Result<Signature<S>, Error> {
        let mut rng: &mut R = rng;
        let state: *mut &mut R = &mut rng;
        self.sign_by(message, context, 0, Some(draw::<R>), state.cast())
    }

    fn sign_by(
        &self,
        message: &[u8],
        context: &[u8],
        options: u32,
        random: Option<ffi::RandomFn>,
        state: *mut c_void,
    ) -> Result<Signature<S>, Error> {
        let set = set::<S>();
        let mut room = scratch::<S>();
        // SAFETY: `set` is a set.
        let mut bytes = vec![0; unsafe { ffi::hanji_aimer_signature_bytes(set) }];
        // SAFETY: every slice is as long as it says; the signature has the size of the set;
        // `state` belongs to `random` and outlives the call.
        checked(unsafe {
            ffi::hanji_aimer_sign(
                bytes.as_mut_ptr(),
                message.as_ptr(),
                message.len(),
                context.as_ptr(),
                context.len(),
                self.secret.as_ptr(),
                self.secret.len(),
                set,
                options,
                random,
                state,
                room.as_mut_ptr().cast(),
                room.len(),
            )
        })?;
        Ok(Signature { bytes: bytes.into(), set: PhantomData })
    }
}

impl<S: Set> Signer<Signature<S>> for SigningKey<S> {
    fn try_sign(&self, message: &[u8]) -> Result<Signature<S>, Error> {
        self.sign_by(message, b"", DETERMINISTIC, None, core::ptr::null_mut())
    }
}

impl<S: Set> RandomizedSigner<Signature<S>> for SigningKey<S> {
    fn try_sign_with_rng<R: TryCryptoRng + ?Sized>(
        &self,
        rng: &mut R,
        message: &[u8],
    ) -> Result<Signature<S>, Error> {
        self.sign_with_context(rng, message, b"")
    }
}

impl<S: Set> Keypair for SigningKey<S> {
    type VerifyingKey = VerifyingKey<S>;

    fn verifying_key(&self) -> VerifyingKey<S> {
        self.public.clone()
    }
}

impl<S: Set> Drop for SigningKey<S> {
    fn drop(&mut self) {
        // SAFETY: the key belongs to `self` and has the length that is given.
        unsafe { ffi::hanji_wipe(self.secret.as_mut_ptr().cast(), self.secret.len()) }
    }
}

impl<S: Set> core::fmt::Debug for SigningKey<S> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("SigningKey { .. }")
    }
}
