// SPDX-License-Identifier: Apache-2.0
#![no_std]
#![cfg_attr(docsrs, feature(doc_cfg))]
// The example there needs both.
#![cfg_attr(all(feature = "ascon", feature = "alloc"), doc = include_str!("../README.md"))]
#![cfg_attr(
    not(all(feature = "ascon", feature = "alloc")),
    doc = "Lightweight cryptography over the portable C of hanji, with the traits of RustCrypto."
)]

#[cfg(any(feature = "slh-dsa", feature = "aimer"))]
extern crate alloc;

mod ffi;

#[cfg(any(feature = "ascon", feature = "schwaemm"))]
pub mod authenticated;
#[cfg(any(
    feature = "speck",
    feature = "simon",
    feature = "simeck",
    feature = "cham",
    feature = "ctr",
    feature = "cmac"
))]
pub mod block;
#[cfg(any(feature = "ascon", feature = "esch"))]
pub mod hash;
#[cfg(any(feature = "slh-dsa", feature = "aimer"))]
pub mod sign;

#[cfg(any(feature = "ascon", feature = "schwaemm"))]
pub use aead;
#[cfg(feature = "cmac")]
pub use block::cmac::Cmac;
#[cfg(feature = "ctr")]
pub use block::ctr::Ctr;
#[cfg(any(
    feature = "speck",
    feature = "simon",
    feature = "simeck",
    feature = "cham",
    feature = "ctr",
    feature = "cmac"
))]
pub use cipher;
#[cfg(any(feature = "ascon", feature = "esch", feature = "cmac"))]
pub use digest;
#[cfg(any(feature = "slh-dsa", feature = "aimer"))]
pub use signature;

/// Ends the program when C refuses what this crate has checked: a mistake of this crate.
#[allow(dead_code)]
#[inline]
fn must(code: i32) {
    assert!(code == ffi::OK, "hanji: the C library refused a call with code {code}");
}
