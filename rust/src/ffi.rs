// SPDX-License-Identifier: Apache-2.0
//! The C functions of the amalgam, by hand: sizes and order of arguments as in `hanji.h`.

#![allow(dead_code)] // what is used depends on the features

pub(crate) const OK: i32 = 0;

/// `hanji_ascon_hash_ctx`.
#[derive(Clone)]
#[repr(C)]
pub(crate) struct AsconHashCtx {
    state: [u64; 5],
    at: u32,
    phase: u32,
}

impl AsconHashCtx {
    pub(crate) const EMPTY: Self = Self { state: [0; 5], at: 0, phase: 0 };
}

/// `hanji_esch_ctx`.
#[derive(Clone)]
#[repr(C)]
pub(crate) struct EschCtx {
    state: [u32; 16],
    pending: [u8; 16],
    pending_bytes: u32,
    phase: u32,
}

impl EschCtx {
    pub(crate) const EMPTY: Self =
        Self { state: [0; 16], pending: [0; 16], pending_bytes: 0, phase: 0 };
}

/// `hanji_cipher`, whose members are not for users.
#[repr(C)]
pub struct Cipher {
    _private: [u8; 0],
}

/// `hanji_block_ctx`.
#[derive(Clone)]
#[repr(C)]
pub struct BlockHead {
    cipher: *const Cipher,
    blocks_used: u64,
    blocks_limit: u64,
    layout: u32,
    mark: u32,
}

impl BlockHead {
    pub(crate) const EMPTY: Self =
        Self { cipher: core::ptr::null(), blocks_used: 0, blocks_limit: 0, layout: 0, mark: 0 };
}

// SAFETY: `cipher` points to a constant descriptor that lives as long as the program, and C writes
// to a context only through calls that borrow it mutably.
unsafe impl Send for BlockHead {}
// SAFETY: as above; hanji_block_encrypt and hanji_block_decrypt take the context as constant.
unsafe impl Sync for BlockHead {}

/// `hanji_ctr_ctx`.
#[repr(C)]
pub(crate) struct CtrCtx {
    pub(crate) block: *mut BlockHead,
    cipher: *const Cipher,
    pub(crate) counters_left: u64,
    counter: [u8; 16],
    keystream: [u8; 16],
    pub(crate) keystream_left: u32,
    ready: u32,
}

impl CtrCtx {
    pub(crate) const EMPTY: Self = Self {
        block: core::ptr::null_mut(),
        cipher: core::ptr::null(),
        counters_left: 0,
        counter: [0; 16],
        keystream: [0; 16],
        keystream_left: 0,
        ready: 0,
    };
}

/// `hanji_cmac_ctx`.
#[derive(Clone)]
#[repr(C)]
pub(crate) struct CmacCtx {
    pub(crate) block: *mut BlockHead,
    cipher: *const Cipher,
    k1: [u8; 16],
    k2: [u8; 16],
    mac: [u8; 16],
    pending: [u8; 16],
    pending_bytes: u32,
    ready: u32,
}

impl CmacCtx {
    pub(crate) const EMPTY: Self = Self {
        block: core::ptr::null_mut(),
        cipher: core::ptr::null(),
        k1: [0; 16],
        k2: [0; 16],
        mac: [0; 16],
        pending: [0; 16],
        pending_bytes: 0,
        ready: 0,
    };
}

/// `hanji_slhdsa`, whose members are not for users.
#[repr(C)]
pub struct SlhDsa {
    _private: [u8; 0],
}

/// `hanji_aimer`, whose members are not for users.
#[repr(C)]
pub struct Aimer {
    _private: [u8; 0],
}

/// `hanji_random_fn`.
pub(crate) type RandomFn = unsafe extern "C" fn(*mut u8, usize, *mut core::ffi::c_void) -> i32;

pub(crate) type Seal = unsafe extern "C" fn(
    ciphertext: *mut u8,
    tag: *mut u8,
    plaintext: *const u8,
    plaintext_bytes: usize,
    ad: *const u8,
    ad_bytes: usize,
    nonce: *const u8,
    key: *const u8,
) -> i32;
pub(crate) type Open = unsafe extern "C" fn(
    plaintext: *mut u8,
    ciphertext: *const u8,
    ciphertext_bytes: usize,
    tag: *const u8,
    ad: *const u8,
    ad_bytes: usize,
    nonce: *const u8,
    key: *const u8,
) -> i32;

macro_rules! aeads {
    ($($seal:ident $open:ident),* $(,)?) => {
        unsafe extern "C" { $(
            pub(crate) fn $seal(
                ciphertext: *mut u8, tag: *mut u8, plaintext: *const u8, plaintext_bytes: usize,
                ad: *const u8, ad_bytes: usize, nonce: *const u8, key: *const u8,
            ) -> i32;
            pub(crate) fn $open(
                plaintext: *mut u8, ciphertext: *const u8, ciphertext_bytes: usize,
                tag: *const u8, ad: *const u8, ad_bytes: usize, nonce: *const u8, key: *const u8,
            ) -> i32;
        )* }
    };
}
aeads! {
    hanji_ascon_aead128_encrypt_detached hanji_ascon_aead128_decrypt_detached,
    hanji_schwaemm256_128_encrypt_detached hanji_schwaemm256_128_decrypt_detached,
    hanji_schwaemm192_192_encrypt_detached hanji_schwaemm192_192_decrypt_detached,
    hanji_schwaemm128_128_encrypt_detached hanji_schwaemm128_128_decrypt_detached,
    hanji_schwaemm256_256_encrypt_detached hanji_schwaemm256_256_decrypt_detached,
}

macro_rules! hashes {
    ($context:ty: $($init:ident $update:ident $end:ident($($size:ident)?)),* $(,)?) => {
        unsafe extern "C" { $(
            pub(crate) fn $init(ctx: *mut $context) -> i32;
            pub(crate) fn $update(message: *const u8, bytes: usize, ctx: *mut $context) -> i32;
            pub(crate) fn $end(out: *mut u8, $($size: usize,)? ctx: *mut $context) -> i32;
        )* }
    };
}
hashes! { AsconHashCtx:
    hanji_ascon_hash256_init hanji_ascon_hash256_update hanji_ascon_hash256_final(),
    hanji_ascon_xof128_init hanji_ascon_xof128_update hanji_ascon_xof128_squeeze(bytes),
}
hashes! { EschCtx:
    hanji_esch256_init hanji_esch256_update hanji_esch256_final(),
    hanji_esch384_init hanji_esch384_update hanji_esch384_final(),
    hanji_xoesch256_init hanji_xoesch256_update hanji_xoesch256_squeeze(bytes),
    hanji_xoesch384_init hanji_xoesch384_update hanji_xoesch384_squeeze(bytes),
}

unsafe extern "C" {
    pub(crate) fn hanji_wipe(memory: *mut core::ffi::c_void, bytes: usize);

    pub(crate) fn hanji_ascon_cxof128_init(
        customization: *const u8,
        customization_bytes: usize,
        ctx: *mut AsconHashCtx,
    ) -> i32;
    pub(crate) fn hanji_ascon_cxof128_update(
        message: *const u8,
        bytes: usize,
        ctx: *mut AsconHashCtx,
    ) -> i32;
    pub(crate) fn hanji_ascon_cxof128_squeeze(
        out: *mut u8,
        bytes: usize,
        ctx: *mut AsconHashCtx,
    ) -> i32;
    pub(crate) fn hanji_ascon_hash_wipe(ctx: *mut AsconHashCtx);
    pub(crate) fn hanji_esch_wipe(ctx: *mut EschCtx);

    pub(crate) fn hanji_block_init(
        key: *const u8,
        key_bytes: usize,
        cipher: *const Cipher,
        ctx: *mut BlockHead,
        ctx_bytes: usize,
    ) -> i32;
    pub(crate) fn hanji_block_encrypt(
        out: *mut u8,
        input: *const u8,
        blocks: usize,
        ctx: *const BlockHead,
    ) -> i32;
    pub(crate) fn hanji_block_decrypt(
        out: *mut u8,
        input: *const u8,
        blocks: usize,
        ctx: *const BlockHead,
    ) -> i32;
    pub(crate) fn hanji_block_remaining(ctx: *const BlockHead) -> u64;
    pub(crate) fn hanji_block_wipe(ctx: *mut BlockHead);

    pub(crate) fn hanji_ctr_init(
        iv: *const u8,
        iv_bytes: usize,
        block: *mut BlockHead,
        ctx: *mut CtrCtx,
    ) -> i32;
    pub(crate) fn hanji_ctr_update(
        out: *mut u8,
        input: *const u8,
        bytes: usize,
        ctx: *mut CtrCtx,
    ) -> i32;
    pub(crate) fn hanji_ctr_wipe(ctx: *mut CtrCtx);

    pub(crate) fn hanji_cmac_init(block: *mut BlockHead, ctx: *mut CmacCtx) -> i32;
    pub(crate) fn hanji_cmac_update(message: *const u8, bytes: usize, ctx: *mut CmacCtx) -> i32;
    pub(crate) fn hanji_cmac_final(tag: *mut u8, tag_bytes: usize, ctx: *mut CmacCtx) -> i32;
    pub(crate) fn hanji_cmac_wipe(ctx: *mut CmacCtx);

    pub(crate) fn hanji_slhdsa_by_name(name: *const core::ffi::c_char) -> *const SlhDsa;
    pub(crate) fn hanji_slhdsa_public_key_bytes(set: *const SlhDsa) -> usize;
    pub(crate) fn hanji_slhdsa_secret_key_bytes(set: *const SlhDsa) -> usize;
    pub(crate) fn hanji_slhdsa_signature_bytes(set: *const SlhDsa) -> usize;
    pub(crate) fn hanji_slhdsa_keypair(
        public_key: *mut u8,
        secret_key: *mut u8,
        set: *const SlhDsa,
        random: RandomFn,
        random_state: *mut core::ffi::c_void,
    ) -> i32;
    pub(crate) fn hanji_slhdsa_key_check(
        secret_key: *const u8,
        secret_key_bytes: usize,
        set: *const SlhDsa,
    ) -> i32;
    pub(crate) fn hanji_slhdsa_sign(
        signature: *mut u8,
        message: *const u8,
        message_bytes: usize,
        context: *const u8,
        context_bytes: usize,
        mode: core::ffi::c_int,
        secret_key: *const u8,
        secret_key_bytes: usize,
        set: *const SlhDsa,
        options: core::ffi::c_uint,
        random: Option<RandomFn>,
        random_state: *mut core::ffi::c_void,
    ) -> i32;
    pub(crate) fn hanji_slhdsa_verify(
        signature: *const u8,
        signature_bytes: usize,
        message: *const u8,
        message_bytes: usize,
        context: *const u8,
        context_bytes: usize,
        mode: core::ffi::c_int,
        public_key: *const u8,
        public_key_bytes: usize,
        set: *const SlhDsa,
    ) -> i32;

    pub(crate) fn hanji_aimer_by_name(name: *const core::ffi::c_char) -> *const Aimer;
    pub(crate) fn hanji_aimer_public_key_bytes(set: *const Aimer) -> usize;
    pub(crate) fn hanji_aimer_secret_key_bytes(set: *const Aimer) -> usize;
    pub(crate) fn hanji_aimer_signature_bytes(set: *const Aimer) -> usize;
    pub(crate) fn hanji_aimer_scratch_bytes(set: *const Aimer) -> usize;
    pub(crate) fn hanji_aimer_keypair(
        public_key: *mut u8,
        secret_key: *mut u8,
        set: *const Aimer,
        random: RandomFn,
        random_state: *mut core::ffi::c_void,
        scratch: *mut core::ffi::c_void,
        scratch_bytes: usize,
    ) -> i32;
    pub(crate) fn hanji_aimer_key_check(
        secret_key: *const u8,
        secret_key_bytes: usize,
        set: *const Aimer,
        scratch: *mut core::ffi::c_void,
        scratch_bytes: usize,
    ) -> i32;
    pub(crate) fn hanji_aimer_sign(
        signature: *mut u8,
        message: *const u8,
        message_bytes: usize,
        context: *const u8,
        context_bytes: usize,
        secret_key: *const u8,
        secret_key_bytes: usize,
        set: *const Aimer,
        options: core::ffi::c_uint,
        random: Option<RandomFn>,
        random_state: *mut core::ffi::c_void,
        scratch: *mut core::ffi::c_void,
        scratch_bytes: usize,
    ) -> i32;
    pub(crate) fn hanji_aimer_verify(
        signature: *const u8,
        signature_bytes: usize,
        message: *const u8,
        message_bytes: usize,
        context: *const u8,
        context_bytes: usize,
        public_key: *const u8,
        public_key_bytes: usize,
        set: *const Aimer,
        scratch: *mut core::ffi::c_void,
        scratch_bytes: usize,
    ) -> i32;
}
