// SPDX-License-Identifier: Apache-2.0
//! Answers test vectors: each line of standard input is a name and its inputs in hexadecimal, `-`
//! for an empty one; each line of standard output is the answer.

use hanji::aead::{Aead, KeyInit, Payload};
use hanji::block::*;
use hanji::cipher::{BlockCipherDecrypt, BlockCipherEncrypt, KeyIvInit, StreamCipher};
use hanji::digest::{Digest, ExtendableOutput, FixedOutput, TryCustomizedInit, Update, XofReader};
use hanji::sign::{self, PreHash, Signature, SigningKey, VerifyingKey};
use hanji::signature::rand_core::{TryCryptoRng, TryRng};
use hanji::signature::{SignatureEncoding, Signer, Verifier};
use hanji::{Cmac, Ctr, authenticated, hash};
use std::io::{BufRead, Write};

fn bytes(text: &str) -> Vec<u8> {
    if text == "-" {
        return Vec::new();
    }
    text.as_bytes()
        .chunks(2)
        .map(|two| u8::from_str_radix(std::str::from_utf8(two).expect("ASCII"), 16).expect("hex"))
        .collect()
}

/// key, nonce, associated data, plaintext; it also opens what it seals.
fn seal<A: KeyInit + Aead>(words: &[Vec<u8>]) -> Vec<u8> {
    let [key, nonce, ad, text] = words else { panic!("four inputs") };
    let cipher = A::new_from_slice(key).expect("the size of the key");
    let nonce = nonce.as_slice().try_into().expect("the size of the nonce");
    let sealed = cipher.encrypt(nonce, Payload { msg: text, aad: ad }).expect("it seals");
    let opened = cipher.decrypt(nonce, Payload { msg: &sealed, aad: ad }).expect("it opens");
    assert_eq!(&opened, text);
    sealed
}

/// key, nonce, associated data, ciphertext with tag; the plaintext behind a byte of 1, or a byte of
/// 0 where the message is refused.
fn open<A: KeyInit + Aead>(words: &[Vec<u8>]) -> Vec<u8> {
    let [key, nonce, ad, sealed] = words else { panic!("four inputs") };
    let cipher = A::new_from_slice(key).expect("the size of the key");
    let nonce = nonce.as_slice().try_into().expect("the size of the nonce");
    match cipher.decrypt(nonce, Payload { msg: sealed, aad: ad }) {
        Ok(text) => [&[1][..], &text].concat(),
        Err(_) => vec![0],
    }
}

fn digest<H: Digest>(words: &[Vec<u8>]) -> Vec<u8> {
    H::digest(&words[0]).to_vec()
}

/// size of the output as bytes in big-endian order, message
fn stretch<X: ExtendableOutput + Update>(mut xof: X, words: &[Vec<u8>]) -> Vec<u8> {
    let size = words[0].iter().fold(0, |sum, byte| sum << 8 | usize::from(*byte));
    let mut out = vec![0; size];
    xof.update(&words[1]);
    xof.finalize_xof().read(&mut out);
    out
}

/// key, plaintext of whole blocks
fn blocks<C: KeyInit + BlockCipherEncrypt + BlockCipherDecrypt>(words: &[Vec<u8>]) -> Vec<u8> {
    let cipher = C::new_from_slice(&words[0]).expect("the size of the key");
    let mut out = Vec::new();
    for block in words[1].chunks(C::block_size()) {
        let before = hanji::cipher::Array::try_from(block).expect("whole blocks");
        let mut block = before.clone();
        cipher.encrypt_block(&mut block);
        out.extend_from_slice(&block);
        cipher.decrypt_block(&mut block);
        assert_eq!(block, before);
    }
    out
}

/// key, first counter, plaintext
fn stream<C: HanjiCipher>(words: &[Vec<u8>]) -> Vec<u8> {
    let mut data = words[2].clone();
    let mut stream = Ctr::<C>::new_from_slices(&words[0], &words[1]).expect("the sizes");
    stream.apply_keystream(&mut data);
    data
}

/// key, message
fn mac<C: HanjiCipher>(words: &[Vec<u8>]) -> Vec<u8> {
    let mut mac = Cmac::<C>::new_from_slice(&words[0]).expect("the size of the key");
    Update::update(&mut mac, &words[1]);
    mac.finalize_fixed().to_vec()
}

/// public key, context string, message, signature; one byte that is 1 when it is right
fn verify<S: sign::Set>(words: &[Vec<u8>]) -> Vec<u8> {
    let key = VerifyingKey::<S>::from_bytes(&words[0]).expect("the size of the key");
    let right = Signature::<S>::try_from(&words[3][..]).is_ok_and(|signature| {
        if words[1].is_empty() {
            key.verify(&words[2], &signature).is_ok()
        } else {
            key.verify_with_context(&words[2], &words[1], &signature).is_ok()
        }
    });
    vec![right.into()]
}

fn hash_named(name: &[u8]) -> PreHash {
    match name {
        b"SHAKE128" => PreHash::Shake128,
        b"SHAKE256" => PreHash::Shake256,
        _ => panic!("no hash function {name:?}"),
    }
}

/// as `verify`, and the name of the hash function
fn verify_hash<S: sign::PreHashSet>(words: &[Vec<u8>]) -> Vec<u8> {
    let key = VerifyingKey::<S>::from_bytes(&words[0]).expect("the size of the key");
    let right = Signature::<S>::try_from(&words[3][..]).is_ok_and(|signature| {
        key.verify_pre_hash(&words[2], &words[1], hash_named(&words[4]), &signature).is_ok()
    });
    vec![right.into()]
}

/// Random bytes that were given; more than these there are not.
struct Given<'a>(&'a [u8]);

impl TryRng for Given<'_> {
    type Error = core::fmt::Error;

    fn try_next_u32(&mut self) -> Result<u32, Self::Error> {
        Err(core::fmt::Error)
    }

    fn try_next_u64(&mut self) -> Result<u64, Self::Error> {
        Err(core::fmt::Error)
    }

    fn try_fill_bytes(&mut self, out: &mut [u8]) -> Result<(), Self::Error> {
        let (first, rest) = self.0.split_at_checked(out.len()).ok_or(core::fmt::Error)?;
        out.copy_from_slice(first);
        self.0 = rest;
        Ok(())
    }
}

impl TryCryptoRng for Given<'_> {}

/// secret key, public key, context string, message, random bytes or none; the signature
fn signed<S: sign::Set>(words: &[Vec<u8>]) -> Vec<u8> {
    let key = SigningKey::<S>::from_bytes(&words[0], &words[1]).expect("a key pair");
    let (context, message) = (&words[2][..], &words[3][..]);
    let made = if !words[4].is_empty() {
        key.sign_with_context(&mut Given(&words[4]), message, context)
    } else if context.is_empty() {
        key.try_sign(message)
    } else {
        key.sign_deterministic(message, context)
    };
    made.expect("a context of at most 255 bytes").to_bytes().into()
}

/// as `signed`, and the name of the hash function; nothing where the set does not take that
fn signed_hash<S: sign::PreHashSet>(words: &[Vec<u8>]) -> Vec<u8> {
    let key = SigningKey::<S>::from_bytes(&words[0], &words[1]).expect("a key pair");
    let (context, message, hash) = (&words[2][..], &words[3][..], hash_named(&words[5]));
    let made = if words[4].is_empty() {
        key.sign_pre_hash_deterministic(message, context, hash)
    } else {
        key.sign_pre_hash(&mut Given(&words[4]), message, context, hash)
    };
    made.map_or(Vec::new(), |signature| signature.to_bytes().into())
}

macro_rules! by_name {
    ($name:expr, $words:expr, $($text:literal => $call:expr),* $(,)?) => {
        match $name { $($text => $call($words),)* other => panic!("no algorithm {other}") }
    };
}

fn answer(name: &str, w: &[Vec<u8>]) -> Vec<u8> {
    by_name!(name, w,
        "ascon-aead128" => seal::<authenticated::AsconAead128>,
        "ascon-aead128-open" => open::<authenticated::AsconAead128>,
        "schwaemm256-128" => seal::<authenticated::Schwaemm256_128>,
        "schwaemm192-192" => seal::<authenticated::Schwaemm192_192>,
        "schwaemm128-128" => seal::<authenticated::Schwaemm128_128>,
        "schwaemm256-256" => seal::<authenticated::Schwaemm256_256>,
        "ascon-hash256" => digest::<hash::AsconHash256>,
        "esch256" => digest::<hash::Esch256>,
        "esch384" => digest::<hash::Esch384>,
        "ascon-xof128" => |w| stretch(hash::AsconXof128::default(), w),
        "ascon-cxof128" => |w: &[Vec<u8>]| stretch(
            hash::AsconCxof128::try_new_customized(&w[2]).expect("at most 256 bytes"), w),
        "xoesch256" => |w| stretch(hash::Xoesch256::default(), w),
        "xoesch384" => |w| stretch(hash::Xoesch384::default(), w),
        "speck-32/64" => blocks::<Speck32_64>,
        "speck-48/72" => blocks::<Speck48_72>,
        "speck-48/96" => blocks::<Speck48_96>,
        "speck-64/96" => blocks::<Speck64_96>,
        "speck-64/128" => blocks::<Speck64_128>,
        "speck-96/96" => blocks::<Speck96_96>,
        "speck-96/144" => blocks::<Speck96_144>,
        "speck-128/128" => blocks::<Speck128_128>,
        "speck-128/192" => blocks::<Speck128_192>,
        "speck-128/256" => blocks::<Speck128_256>,
        "simon-32/64" => blocks::<Simon32_64>,
        "simon-48/72" => blocks::<Simon48_72>,
        "simon-48/96" => blocks::<Simon48_96>,
        "simon-64/96" => blocks::<Simon64_96>,
        "simon-64/128" => blocks::<Simon64_128>,
        "simon-96/96" => blocks::<Simon96_96>,
        "simon-96/144" => blocks::<Simon96_144>,
        "simon-128/128" => blocks::<Simon128_128>,
        "simon-128/192" => blocks::<Simon128_192>,
        "simon-128/256" => blocks::<Simon128_256>,
        "simeck-32/64" => blocks::<Simeck32_64>,
        "simeck-48/96" => blocks::<Simeck48_96>,
        "simeck-64/128" => blocks::<Simeck64_128>,
        "cham-64/128" => blocks::<Cham64_128>,
        "cham-128/128" => blocks::<Cham128_128>,
        "cham-128/256" => blocks::<Cham128_256>,
        "speck-64/128-ctr" => stream::<Speck64_128>,
        "simon-64/128-ctr" => stream::<Simon64_128>,
        "simon-128/128-ctr" => stream::<Simon128_128>,
        "simeck-64/128-ctr" => stream::<Simeck64_128>,
        "cham-128/256-ctr" => stream::<Cham128_256>,
        "speck-64/128-cmac" => mac::<Speck64_128>,
        "speck-128/256-cmac" => mac::<Speck128_256>,
        "simon-128/128-cmac" => mac::<Simon128_128>,
        "cham-64/128-cmac" => mac::<Cham64_128>,
        "slh-dsa-shake-128s" => verify::<sign::SlhDsaShake128s>,
        "slh-dsa-shake-128f" => verify::<sign::SlhDsaShake128f>,
        "slh-dsa-shake-192s" => verify::<sign::SlhDsaShake192s>,
        "slh-dsa-shake-192f" => verify::<sign::SlhDsaShake192f>,
        "slh-dsa-shake-256s" => verify::<sign::SlhDsaShake256s>,
        "slh-dsa-shake-256f" => verify::<sign::SlhDsaShake256f>,
        "slh-dsa-shake-128s-hash" => verify_hash::<sign::SlhDsaShake128s>,
        "slh-dsa-shake-128f-hash" => verify_hash::<sign::SlhDsaShake128f>,
        "slh-dsa-shake-192f-hash" => verify_hash::<sign::SlhDsaShake192f>,
        "slh-dsa-shake-256f-hash" => verify_hash::<sign::SlhDsaShake256f>,
        "slh-dsa-shake-128f-sign" => signed::<sign::SlhDsaShake128f>,
        "slh-dsa-shake-192f-sign" => signed::<sign::SlhDsaShake192f>,
        "slh-dsa-shake-256f-sign" => signed::<sign::SlhDsaShake256f>,
        "slh-dsa-shake-128f-sign-hash" => signed_hash::<sign::SlhDsaShake128f>,
        "slh-dsa-shake-192f-sign-hash" => signed_hash::<sign::SlhDsaShake192f>,
        "slh-dsa-shake-256f-sign-hash" => signed_hash::<sign::SlhDsaShake256f>,
        "aimer3-128f-sign" => signed::<sign::Aimer3_128f>,
        "aimer3-128f" => verify::<sign::Aimer3_128f>,
        "aimer3-128s" => verify::<sign::Aimer3_128s>,
        "aimer3-192f" => verify::<sign::Aimer3_192f>,
        "aimer3-256f" => verify::<sign::Aimer3_256f>,
    )
}

fn main() {
    let mut out = std::io::stdout().lock();
    for line in std::io::stdin().lock().lines() {
        let line = line.expect("standard input");
        let mut words = line.split(' ');
        let name = words.next().expect("a name");
        let inputs: Vec<Vec<u8>> = words.map(bytes).collect();
        let text: String = answer(name, &inputs).iter().map(|b| format!("{b:02x}")).collect();
        writeln!(out, "{text}").expect("standard output");
    }
}
