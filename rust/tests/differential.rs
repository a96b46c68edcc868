// SPDX-License-Identifier: Apache-2.0
//! This crate against the crates of RustCrypto, where those exist: Ascon of SP 800-232, and SPECK.
//! (There is none of SIMON, SIMECK, CHAM, SCHWAEMM, ESCH and AIMer, and the one of SLH-DSA is not
//! released; `examples/answers.rs` answers the vectors of the repository for those.)

#![cfg(feature = "all")]

use hanji::aead::{Aead, AeadInOut, KeyInit, Payload};
use hanji::cipher::typenum::Unsigned;
use hanji::cipher::{Array, BlockCipherDecrypt, BlockCipherEncrypt, KeyIvInit, StreamCipher};
use hanji::digest::{Digest, ExtendableOutput, TryCustomizedInit, Update, XofReader};
use hanji::{Ctr, block};

/// A small generator of test bytes (xorshift64*), so that a failure comes again.
struct Bytes(u64);

impl Bytes {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }
    fn take(&mut self, count: usize) -> Vec<u8> {
        (0..count).map(|_| (self.next() >> 32) as u8).collect()
    }
    fn array<const N: usize>(&mut self) -> [u8; N] {
        self.take(N).try_into().expect("as many as asked for")
    }
}

/// Lengths around blocks of 8 and 16 bytes, and some longer ones.
const LENGTHS: [usize; 16] = [0, 1, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 65, 255, 1000];

#[test]
fn ascon_aead128_is_that_of_rustcrypto() {
    let mut bytes = Bytes(1);
    for message_bytes in LENGTHS {
        for ad_bytes in [0, 1, 8, 16, 17, 100] {
            let (key, nonce) = (bytes.array::<16>(), bytes.array::<16>());
            let (message, ad) = (bytes.take(message_bytes), bytes.take(ad_bytes));
            let ours = hanji::authenticated::AsconAead128::new(&key.into());
            let theirs = ascon_aead::AsconAead128::new(&key.into());
            let payload = Payload { msg: &message, aad: &ad };
            let sealed = ours.encrypt(&nonce.into(), payload).expect("it seals");
            let payload = Payload { msg: &message, aad: &ad };
            let expected = theirs.encrypt(&nonce.into(), payload).expect("it seals");
            assert_eq!(sealed, expected, "{message_bytes} bytes, {ad_bytes} of associated data");
            let payload = Payload { msg: &expected, aad: &ad };
            assert_eq!(ours.decrypt(&nonce.into(), payload).expect("it opens"), message);
        }
    }
}

#[test]
fn a_wrong_tag_gives_zeros() {
    let ours = hanji::authenticated::AsconAead128::new(&[7; 16].into());
    let mut buffer = *b"a message of more than one block";
    let nonce = [1; 16].into();
    let mut tag =
        ours.encrypt_inout_detached(&nonce, b"", buffer.as_mut_slice().into()).expect("it seals");
    tag[15] ^= 0x80;
    let opened = ours.decrypt_inout_detached(&nonce, b"", buffer.as_mut_slice().into(), &tag);
    assert!(opened.is_err(), "an altered tag was accepted");
    assert_eq!(buffer, [0; 32], "the plaintext of a refused message was given out");
}

#[test]
fn ascon_hashes_are_those_of_rustcrypto() {
    let mut bytes = Bytes(2);
    for length in LENGTHS {
        let message = bytes.take(length);
        let (head, tail) = message.split_at(length / 3);
        let mut hash = hanji::hash::AsconHash256::new();
        Digest::update(&mut hash, head);
        Digest::update(&mut hash, tail);
        let digest = hash.finalize();
        assert_eq!(digest[..], ascon_hash256::AsconHash256::digest(&message)[..], "{length}");

        let (mut ours, mut theirs) = ([0; 100], [0; 100]);
        let mut xof = hanji::hash::AsconXof128::default();
        xof.update(head);
        xof.update(tail);
        let mut reader = xof.finalize_xof();
        reader.read(&mut ours[..33]);
        reader.read(&mut ours[33..]);
        let mut xof = ascon_xof128::AsconXof128::default();
        xof.update(&message);
        xof.finalize_xof().read(&mut theirs);
        assert_eq!(ours, theirs, "{length}");

        let custom = bytes.take(length.min(256));
        let mut xof = hanji::hash::AsconCxof128::try_new_customized(&custom).expect("it fits");
        xof.update(&message);
        xof.finalize_xof().read(&mut ours);
        let mut xof = ascon_xof128::AsconCxof128::try_new_customized(&custom).expect("it fits");
        xof.update(&message);
        xof.finalize_xof().read(&mut theirs);
        assert_eq!(ours, theirs, "{length}");
    }
    assert!(hanji::hash::AsconCxof128::try_new_customized(&[0; 257]).is_err());
}

fn reversed(bytes: &[u8]) -> Vec<u8> {
    bytes.iter().rev().copied().collect()
}

/// Blocks of `C` against those of `P`, whose byte order is that of papers.
fn compare_blocks<C, P>(name: &str)
where
    C: KeyInit + BlockCipherEncrypt + BlockCipherDecrypt,
    P: KeyInit + BlockCipherEncrypt<BlockSize = C::BlockSize>,
{
    let mut bytes = Bytes(3);
    let size = C::BlockSize::USIZE;
    for count in [1, 2, 31, 32, 33, 100] {
        let key = bytes.take(C::key_size());
        let ours = C::new_from_slice(&key).expect("the size is right");
        let theirs = P::new_from_slice(&reversed(&key)).expect("the size is right");
        let plaintext: Vec<Array<u8, C::BlockSize>> = (0..count)
            .map(|_| Array::try_from(&bytes.take(size)[..]).expect("the size is right"))
            .collect();
        let mut blocks = plaintext.clone();
        ours.encrypt_blocks(&mut blocks);
        for (block, before) in blocks.iter().zip(&plaintext) {
            let mut expected = Array::try_from(&reversed(before)[..]).expect("the size is right");
            theirs.encrypt_block(&mut expected);
            assert_eq!(block[..], reversed(&expected)[..], "{name}, {count} blocks");
            assert_ne!(block[..], expected[..], "{name}: the byte orders differ");
        }
        let mut apart = vec![Array::default(); count];
        ours.decrypt_blocks_b2b(&blocks, &mut apart).expect("as many blocks");
        assert_eq!(apart, plaintext, "{name}, {count} blocks");
        ours.decrypt_blocks(&mut blocks);
        assert_eq!(blocks, plaintext, "{name}, {count} blocks, in place");
    }
}

#[test]
fn speck_is_that_of_rustcrypto() {
    compare_blocks::<block::Speck32_64, speck_cipher::Speck32_64>("SPECK-32/64");
    compare_blocks::<block::Speck48_72, speck_cipher::Speck48_72>("SPECK-48/72");
    compare_blocks::<block::Speck48_96, speck_cipher::Speck48_96>("SPECK-48/96");
    compare_blocks::<block::Speck64_96, speck_cipher::Speck64_96>("SPECK-64/96");
    compare_blocks::<block::Speck64_128, speck_cipher::Speck64_128>("SPECK-64/128");
    compare_blocks::<block::Speck96_96, speck_cipher::Speck96_96>("SPECK-96/96");
    compare_blocks::<block::Speck96_144, speck_cipher::Speck96_144>("SPECK-96/144");
    compare_blocks::<block::Speck128_128, speck_cipher::Speck128_128>("SPECK-128/128");
    compare_blocks::<block::Speck128_192, speck_cipher::Speck128_192>("SPECK-128/192");
    compare_blocks::<block::Speck128_256, speck_cipher::Speck128_256>("SPECK-128/256");
}

#[test]
fn counter_mode_is_the_cipher_on_a_big_endian_counter() {
    let mut bytes = Bytes(4);
    let key = bytes.array::<16>();
    let cipher = block::Speck64_128::new(&key.into());
    for first in [0, u64::MAX - 3] {
        let mut expected = Vec::new();
        for number in 0..8 {
            let mut block = first.wrapping_add(number).to_be_bytes().into();
            cipher.encrypt_block(&mut block);
            expected.extend_from_slice(&block);
        }
        let mut stream = Ctr::<block::Speck64_128>::new(&key.into(), &first.to_be_bytes().into());
        let mut data = vec![0; 64];
        let (start, rest) = data.split_at_mut(5);
        stream.apply_keystream(start);
        let mut moved = Box::new(stream); // the pointer to the cipher moves with it
        moved.apply_keystream(rest);
        assert_eq!(data, expected);
    }
}

#[test]
fn counter_mode_keeps_the_limit_of_the_key() {
    // SPECK-32/64 has 2^6 blocks of 4 bytes.
    let mut stream = Ctr::<block::Speck32_64>::new(&[1; 8].into(), &[0; 4].into());
    let mut data = [0; 257];
    assert!(stream.try_apply_keystream(&mut data).is_err(), "257 bytes are more than 64 blocks");
    assert_eq!(data, [0; 257], "a refused call has written");
    stream.try_apply_keystream(&mut data[..255]).expect("64 blocks are allowed");
    assert!(stream.try_apply_keystream(&mut data[..2]).is_err(), "the 65th block was given");
    stream.try_apply_keystream(&mut data[..1]).expect("the 64th block has one byte left");
}
