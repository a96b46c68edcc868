// SPDX-License-Identifier: Apache-2.0
/** Bytes in any of the usual shapes; they may be of another realm, or in shared memory. */
export type Bytes = ArrayBufferView | ArrayBufferLike;
export type AeadName =
  | "ascon-aead128"
  | "schwaemm256-128"
  | "schwaemm192-192"
  | "schwaemm128-128"
  | "schwaemm256-256"
  | "speck-64/128-eax";
export type HashName =
  | "ascon-hash256"
  | "esch256"
  | "esch384"
  | "ascon-xof128"
  | "xoesch256"
  | "xoesch384";

/** The message was altered, or key, nonce or associated data differ. */
export class InvalidTag extends Error {
  constructor();
}
/** Names that `Aead` takes. */
export const aeadNames: readonly AeadName[];
/** Names that `Hash` takes. */
export const hashNames: readonly HashName[];
/** The most bytes that a call takes as a message, and as associated data: 1 GiB. */
export const maxMessageBytes: number;

/**
 * Authenticated encryption under one key. RangeError for a size that the algorithm does not take,
 * and for more than `maxMessageBytes`. The key is copied: `wipe` does not change the argument.
 */
export class Aead {
  constructor(algorithm: AeadName, key: Bytes);
  get algorithm(): AeadName;
  get nonceBytes(): number;
  get tagBytes(): number;
  /** A new key. */
  static generateKey(algorithm: AeadName): Uint8Array<ArrayBuffer>;
  /** Ciphertext and tag. A nonce is used once per key, ever. */
  encrypt(nonce: Bytes, plaintext: Bytes, associatedData?: Bytes): Uint8Array<ArrayBuffer>;
  /** The plaintext; InvalidTag when the message, the nonce or the associated data differ. */
  decrypt(nonce: Bytes, sealed: Bytes, associatedData?: Bytes): Uint8Array<ArrayBuffer>;
  /** Erase the key; every later call fails. */
  wipe(): void;
}

/** A message being hashed. Not for passwords. */
export class Hash {
  constructor(algorithm: HashName);
  get algorithm(): HashName;
  /** The next piece of the message. */
  update(message: Bytes): this;
  /** The digest; `bytes` is for extendable output, and 32 unless it is given. */
  digest(bytes?: number): Uint8Array<ArrayBuffer>;
}

/** The digest of a whole message. */
export function hash(algorithm: HashName, message: Bytes, bytes?: number): Uint8Array<ArrayBuffer>;
/** Whether two arrays are equal, in time that depends on their lengths only. */
export function equal(a: Bytes, b: Bytes): boolean;
/** Random bytes of the system. */
export function randomBytes(bytes: number): Uint8Array<ArrayBuffer>;
/** A number as `bytes` bytes, little-endian; RangeError where it does not fit. */
export function little(value: number | bigint, bytes: number): Uint8Array<ArrayBuffer>;
/** `bytes` bytes of XOESCH256 over a label and fields: "Derivation" of docs/format.md. */
export function expand(label: string, fields: Bytes[], bytes: number): Uint8Array<ArrayBuffer>;
/** Bytes of any of the shapes, not copied; a TypeError that names `what` for anything else. */
export function toBytes(value: Bytes, what: string): Uint8Array;
