// SPDX-License-Identifier: Apache-2.0
//! SLH-DSA and AIMer v3 signatures as [`signature::Signer`] and [`signature::Verifier`].
//!
//! SLH-DSA with SHAKE is NIST FIPS 205 (August 2024). The traits sign the message itself (pure
//! mode), as X.509 and CMS do; the calls with `pre_hash` sign its hash (HashSLH-DSA). AIMer: Kim et al.,
//! AIMer, version 3.0 (August 2026); no known attack, but young: both generations before it are
//! broken, and are not in this crate.

use crate::ffi;
use alloc::{boxed::Box, vec};
use core::ffi::{CStr, c_void};
use core::marker::PhantomData;
use signature::rand_core::{CryptoRng, TryCryptoRng};
use signature::{Error, Keypair, RandomizedSigner, SignatureEncoding, Signer, Verifier};

/// A parameter set.
pub trait Set:
    calls::Calls + Copy + Clone + core::fmt::Debug + PartialEq + Eq + Send + Sync + 'static
{
    /// Its name, for example `slh-dsa-shake-128s`.
    const NAME: &'static CStr;
}

/// A parameter set that signs the hash of a message, too: those of SLH-DSA.
pub trait PreHashSet: Set {}

/// The hash functions of HashSLH-DSA (FIPS 205, section 10.2.2) that this crate has; the standard
/// names ten more. A signature of one never verifies with the other, or as one in pure mode.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum PreHash {
    /// 32 bytes of SHAKE128. Only sets with 128 in their names take it, because its collisions cost
    /// 2^128 steps.
    Shake128,
    /// 64 bytes of SHAKE256. Every set takes it.
    Shake256,
}

mod calls {
    use super::{PreHash, ffi};
    use core::ffi::c_void;

    /// Sizes in bytes.
    pub struct Sizes {
        pub public_key: usize,
        pub secret_key: usize,
        pub signature: usize,
    }

    /// What C calls for random bytes, and its state.
    #[derive(Clone, Copy)]
    pub struct Random {
        pub function: ffi::RandomFn,
        pub state: *mut c_void,
    }

    /// The functions of C for one parameter set, each of which returns the code of C. Not public, so
    /// that no other set can be made.
    pub trait Calls {
        fn sizes() -> Sizes;

        /// # Safety
        /// The keys have the sizes of the set; the function for random bytes may be called.
        unsafe fn keypair(public_key: &mut [u8], secret_key: &mut [u8], random: Random) -> i32;

        fn key_check(secret_key: &[u8]) -> i32;

        /// Without `random` the signature depends on its inputs alone. AIMer has no `pre_hash`.
        ///
        /// # Safety
        /// The signature has the size of the set; the function for random bytes may be called.
        unsafe fn sign(
            signature: &mut [u8],
            message: &[u8],
            context: &[u8],
            pre_hash: Option<PreHash>,
            secret_key: &[u8],
            random: Option<Random>,
        ) -> i32;

        fn verify(
            signature: &[u8],
            message: &[u8],
            context: &[u8],
            pre_hash: Option<PreHash>,
            public_key: &[u8],
        ) -> i32;
    }
}

use calls::{Random, Sizes};

/// The option of C that asks for no random bytes, `HANJI_SLHDSA_DETERMINISTIC` and
/// `HANJI_AIMER_DETERMINISTIC`.
const DETERMINISTIC: u32 = 2;

/// Options, function and state for C.
fn of_random(random: Option<Random>) -> (u32, Option<ffi::RandomFn>, *mut c_void) {
    match random {
        Some(random) => (0, Some(random.function), random.state),
        None => (DETERMINISTIC, None, core::ptr::null_mut()),
    }
}

fn found<T>(set: *const T, name: &CStr) -> *const T {
    assert!(!set.is_null(), "the amalgam has no {name:?}: it was made without it");
    set
}

/// The types of parameter sets; the macro `calls` gives what C does for one of them.
macro_rules! sets {
    ($calls:ident: $($name:ident $text:literal;)*) => { $(
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

        impl calls::Calls for $name {
            $calls! {}
        }
    )* };
}

#[cfg(feature = "slh-dsa")]
macro_rules! slhdsa {
    () => {
        fn sizes() -> Sizes {
            let set = slhdsa_set::<Self>();
            // SAFETY: it is a set.
            unsafe {
                Sizes {
                    public_key: ffi::hanji_slhdsa_public_key_bytes(set),
                    secret_key: ffi::hanji_slhdsa_secret_key_bytes(set),
                    signature: ffi::hanji_slhdsa_signature_bytes(set),
                }
            }
        }

        unsafe fn keypair(public_key: &mut [u8], secret_key: &mut [u8], random: Random) -> i32 {
            // SAFETY: the caller answers for the sizes and for `random`.
            unsafe {
                ffi::hanji_slhdsa_keypair(
                    public_key.as_mut_ptr(),
                    secret_key.as_mut_ptr(),
                    slhdsa_set::<Self>(),
                    random.function,
                    random.state,
                )
            }
        }

        fn key_check(secret_key: &[u8]) -> i32 {
            // SAFETY: the slice is as long as it says.
            unsafe {
                ffi::hanji_slhdsa_key_check(
                    secret_key.as_ptr(),
                    secret_key.len(),
                    slhdsa_set::<Self>(),
                )
            }
        }

        unsafe fn sign(
            signature: &mut [u8],
            message: &[u8],
            context: &[u8],
            pre_hash: Option<PreHash>,
            secret_key: &[u8],
            random: Option<Random>,
        ) -> i32 {
            let (options, function, state) = of_random(random);
            // SAFETY: every slice is as long as it says; the caller answers for the rest.
            unsafe {
                ffi::hanji_slhdsa_sign(
                    signature.as_mut_ptr(),
                    message.as_ptr(),
                    message.len(),
                    context.as_ptr(),
                    context.len(),
                    mode(pre_hash),
                    secret_key.as_ptr(),
                    secret_key.len(),
                    slhdsa_set::<Self>(),
                    options,
                    function,
                    state,
                )
            }
        }

        fn verify(
            signature: &[u8],
            message: &[u8],
            context: &[u8],
            pre_hash: Option<PreHash>,
            public_key: &[u8],
        ) -> i32 {
            // SAFETY: every slice is as long as it says.
            unsafe {
                ffi::hanji_slhdsa_verify(
                    signature.as_ptr(),
                    signature.len(),
                    message.as_ptr(),
                    message.len(),
                    context.as_ptr(),
                    context.len(),
                    mode(pre_hash),
                    public_key.as_ptr(),
                    public_key.len(),
                    slhdsa_set::<Self>(),
                )
            }
        }
    };
}

#[cfg(feature = "slh-dsa")]
fn mode(pre_hash: Option<PreHash>) -> core::ffi::c_int {
    match pre_hash {
        None => 0,                     // HANJI_SLHDSA_PURE
        Some(PreHash::Shake128) => 11, // HANJI_SLHDSA_SHAKE128
        Some(PreHash::Shake256) => 12, // HANJI_SLHDSA_SHAKE256
    }
}

#[cfg(feature = "slh-dsa")]
fn slhdsa_set<S: Set>() -> *const ffi::SlhDsa {
    // SAFETY: the name ends with a zero.
    found(unsafe { ffi::hanji_slhdsa_by_name(S::NAME.as_ptr()) }, S::NAME)
}

#[cfg(feature = "slh-dsa")]
sets! {
    slhdsa:
    SlhDsaShake128s "slh-dsa-shake-128s";
    SlhDsaShake128f "slh-dsa-shake-128f";
    SlhDsaShake192s "slh-dsa-shake-192s";
    SlhDsaShake192f "slh-dsa-shake-192f";
    SlhDsaShake256s "slh-dsa-shake-256s";
    SlhDsaShake256f "slh-dsa-shake-256f";
}

#[cfg(feature = "slh-dsa")]
macro_rules! pre_hash_sets {
    ($($name:ident)*) => { $( impl PreHashSet for $name {} )* };
}

#[cfg(feature = "slh-dsa")]
pre_hash_sets! {
    SlhDsaShake128s SlhDsaShake128f SlhDsaShake192s SlhDsaShake192f SlhDsaShake256s SlhDsaShake256f
}

#[cfg(feature = "aimer")]
macro_rules! aimer {
    () => {
        fn sizes() -> Sizes {
            let set = aimer_set::<Self>();
            // SAFETY: it is a set.
            unsafe {
                Sizes {
                    public_key: ffi::hanji_aimer_public_key_bytes(set),
                    secret_key: ffi::hanji_aimer_secret_key_bytes(set),
                    signature: ffi::hanji_aimer_signature_bytes(set),
                }
            }
        }

        unsafe fn keypair(public_key: &mut [u8], secret_key: &mut [u8], random: Random) -> i32 {
            let mut room = aimer_scratch::<Self>();
            // SAFETY: the caller answers for the sizes and for `random`.
            unsafe {
                ffi::hanji_aimer_keypair(
                    public_key.as_mut_ptr(),
                    secret_key.as_mut_ptr(),
                    aimer_set::<Self>(),
                    random.function,
                    random.state,
                    room.as_mut_ptr().cast(),
                    room.len(),
                )
            }
        }

        fn key_check(secret_key: &[u8]) -> i32 {
            let mut room = aimer_scratch::<Self>();
            // SAFETY: every slice is as long as it says.
            unsafe {
                ffi::hanji_aimer_key_check(
                    secret_key.as_ptr(),
                    secret_key.len(),
                    aimer_set::<Self>(),
                    room.as_mut_ptr().cast(),
                    room.len(),
                )
            }
        }

        unsafe fn sign(
            signature: &mut [u8],
            message: &[u8],
            context: &[u8],
            _: Option<PreHash>,
            secret_key: &[u8],
            random: Option<Random>,
        ) -> i32 {
            let mut room = aimer_scratch::<Self>();
            let (options, function, state) = of_random(random);
            // SAFETY: every slice is as long as it says; the caller answers for the rest.
            unsafe {
                ffi::hanji_aimer_sign(
                    signature.as_mut_ptr(),
                    message.as_ptr(),
                    message.len(),
                    context.as_ptr(),
                    context.len(),
                    secret_key.as_ptr(),
                    secret_key.len(),
                    aimer_set::<Self>(),
                    options,
                    function,
                    state,
                    room.as_mut_ptr().cast(),
                    room.len(),
                )
            }
        }

        fn verify(
            signature: &[u8],
            message: &[u8],
            context: &[u8],
            _: Option<PreHash>,
            public_key: &[u8],
        ) -> i32 {
            let mut room = aimer_scratch::<Self>();
            // SAFETY: every slice is as long as it says.
            unsafe {
                ffi::hanji_aimer_verify(
                    signature.as_ptr(),
                    signature.len(),
                    message.as_ptr(),
                    message.len(),
                    context.as_ptr(),
                    context.len(),
                    public_key.as_ptr(),
                    public_key.len(),
                    aimer_set::<Self>(),
                    room.as_mut_ptr().cast(),
                    room.len(),
                )
            }
        }
    };
}

#[cfg(feature = "aimer")]
fn aimer_set<S: Set>() -> *const ffi::Aimer {
    // SAFETY: the name ends with a zero.
    found(unsafe { ffi::hanji_aimer_by_name(S::NAME.as_ptr()) }, S::NAME)
}

/// Scratch memory; C erases what was secret in it.
#[cfg(feature = "aimer")]
fn aimer_scratch<S: Set>() -> alloc::vec::Vec<u8> {
    // SAFETY: `aimer_set` gives a set.
    vec![0; unsafe { ffi::hanji_aimer_scratch_bytes(aimer_set::<S>()) }]
}

#[cfg(feature = "aimer")]
sets! {
    aimer:
    Aimer3_128f "aimer3-128f";
    Aimer3_128s "aimer3-128s";
    Aimer3_192f "aimer3-192f";
    Aimer3_192s "aimer3-192s";
    Aimer3_256f "aimer3-256f";
    Aimer3_256s "aimer3-256s";
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
        if bytes.len() != S::sizes().signature {
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
        if bytes.len() != S::sizes().public_key {
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
        checked(S::verify(&signature.bytes, message, context, None, &self.bytes))
    }
}

impl<S: PreHashSet> VerifyingKey<S> {
    /// Verify a signature of the hash of the message (HashSLH-DSA), with the context string and the
    /// hash function that the signer took. An error also for a hash function that the set does not
    /// take.
    pub fn verify_pre_hash(
        &self,
        message: &[u8],
        context: &[u8],
        pre_hash: PreHash,
        signature: &Signature<S>,
    ) -> Result<(), Error> {
        checked(S::verify(&signature.bytes, message, context, Some(pre_hash), &self.bytes))
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
/// # #[cfg(feature = "slh-dsa")] {
/// use hanji::sign::{SigningKey, SlhDsaShake128f};
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
/// let key = SigningKey::<SlhDsaShake128f>::generate(&mut rng)?; // any `CryptoRng`
/// let signature = key.sign(b"firmware 7");
/// assert!(key.verifying_key().verify(b"firmware 7", &signature).is_ok());
/// assert!(key.verifying_key().verify(b"firmware 8", &signature).is_err());
///
/// let public = key.verifying_key();
/// let again = SigningKey::<SlhDsaShake128f>::from_bytes(key.as_bytes(), public.as_bytes())?;
/// assert_eq!(again.sign(b"firmware 7"), signature);
/// let other = SigningKey::<SlhDsaShake128f>::generate(&mut rng)?.verifying_key();
/// assert!(SigningKey::<SlhDsaShake128f>::from_bytes(key.as_bytes(), other.as_bytes()).is_err());
/// # }
/// # Ok::<(), hanji::signature::Error>(())
/// ```
pub struct SigningKey<S: Set> {
    secret: Box<[u8]>,
    public: VerifyingKey<S>,
}

impl<S: Set> SigningKey<S> {
    /// A new key pair with random bytes of `rng`.
    pub fn generate<R: CryptoRng + ?Sized>(rng: &mut R) -> Result<Self, Error> {
        let sizes = S::sizes();
        let mut rng: &mut R = rng;
        let mut made = Self {
            secret: vec![0; sizes.secret_key].into(),
            public: VerifyingKey { bytes: vec![0; sizes.public_key].into(), set: PhantomData },
        };
        let state: *mut &mut R = &mut rng;
        let random = Random { function: draw::<R>, state: state.cast() };
        // SAFETY: both keys have the sizes of the set; `state` outlives the call.
        checked(unsafe { S::keypair(&mut made.public.bytes, &mut made.secret, random) })?;
        Ok(made)
    }

    /// A key from the bytes of its secret and its public half; an error when they do not belong
    /// together or are no key of this set. With SLH-DSA it takes as long as making the key.
    pub fn from_bytes(secret: &[u8], public: &[u8]) -> Result<Self, Error> {
        let public = VerifyingKey::from_bytes(public)?;
        checked(S::key_check(secret))?;
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
        self.sign_randomized(rng, message, context, None)
    }

    /// As [`sign_with_context`](Self::sign_with_context), without random bytes: the same message and
    /// context have the same signature.
    pub fn sign_deterministic(
        &self,
        message: &[u8],
        context: &[u8],
    ) -> Result<Signature<S>, Error> {
        self.sign_by(message, context, None, None)
    }

    fn sign_randomized<R: TryCryptoRng + ?Sized>(
        &self,
        rng: &mut R,
        message: &[u8],
        context: &[u8],
        pre_hash: Option<PreHash>,
    ) -> Result<Signature<S>, Error> {
        let mut rng: &mut R = rng;
        let state: *mut &mut R = &mut rng;
        let random = Random { function: draw::<R>, state: state.cast() };
        self.sign_by(message, context, pre_hash, Some(random))
    }

    fn sign_by(
        &self,
        message: &[u8],
        context: &[u8],
        pre_hash: Option<PreHash>,
        random: Option<Random>,
    ) -> Result<Signature<S>, Error> {
        let mut bytes = vec![0; S::sizes().signature];
        // SAFETY: the signature has the size of the set; the state of `random` outlives the call.
        checked(unsafe { S::sign(&mut bytes, message, context, pre_hash, &self.secret, random) })?;
        Ok(Signature { bytes: bytes.into(), set: PhantomData })
    }
}

impl<S: PreHashSet> SigningKey<S> {
    /// Sign the hash of the message (HashSLH-DSA), with a context string of at most 255 bytes; the
    /// verifier must give both, too. An error for a hash function that the set does not take.
    pub fn sign_pre_hash<R: TryCryptoRng + ?Sized>(
        &self,
        rng: &mut R,
        message: &[u8],
        context: &[u8],
        pre_hash: PreHash,
    ) -> Result<Signature<S>, Error> {
        self.sign_randomized(rng, message, context, Some(pre_hash))
    }

    /// As [`sign_pre_hash`](Self::sign_pre_hash), without random bytes: the same inputs have the
    /// same signature.
    pub fn sign_pre_hash_deterministic(
        &self,
        message: &[u8],
        context: &[u8],
        pre_hash: PreHash,
    ) -> Result<Signature<S>, Error> {
        self.sign_by(message, context, Some(pre_hash), None)
    }
}

impl<S: Set> Signer<Signature<S>> for SigningKey<S> {
    fn try_sign(&self, message: &[u8]) -> Result<Signature<S>, Error> {
        self.sign_deterministic(message, b"")
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
