// SPDX-License-Identifier: Apache-2.0
import type { Bytes } from "./hanji.js";

export type SealedAlgorithm = "ascon-aead128" | "schwaemm256-128";
/** Why a file does not open. */
export type Code =
  | "empty" | "foreign" | "version" | "damaged-header" | "parameter" | "key-needed"
  | "passphrase-needed" | "wrong-key" | "wrong-passphrase" | "truncated" | "altered" | "duplicated"
  | "reordered" | "appended" | "key-file";
/** Cost of Argon2id: passes 1 to 16, lanes 1 to 16, 8 KiB per lane to 1 GiB. */
export interface Argon2Cost {
  passes: number;
  memoryKib: number;
  lanes: number;
}
export interface SealOptions {
  /** 16 bytes, which are copied; or give a passphrase. */
  key?: Bytes;
  /** RangeError for text with half of a surrogate pair. */
  passphrase?: string;
  /** "ascon-aead128" unless it is given. */
  algorithm?: SealedAlgorithm;
  /** A power of two from 4096 to 16777216; 65536 unless it is given. */
  chunkSize?: number;
  /** 3 passes, 65536 KiB and 4 lanes unless it is given. */
  argon2?: Argon2Cost;
}
export interface OpenOptions {
  key?: Bytes;
  passphrase?: string;
}
export interface Header {
  algorithm: SealedAlgorithm;
  /** "shared-passphrase": a passphrase that was stretched once for several files. */
  keySource: "key" | "passphrase" | "shared-passphrase";
  chunkSize: number;
  argon2?: Argon2Cost;
  keyId: Uint8Array<ArrayBuffer>;
  salt: Uint8Array<ArrayBuffer>;
  commitment: Uint8Array<ArrayBuffer>;
}

/** A sealed file or a key file that does not open. */
export class SealedFileError extends Error {
  constructor(code: Code, message: string);
  readonly code: Code;
}
/** What `code` of a SealedFileError can be. */
export const codes: readonly Code[];
/**
 * A stream that seals what goes through it. A piece belongs to the stream until the promise of its
 * `write` has resolved; then its buffer may be filled again.
 */
export function sealStream(options: SealOptions): TransformStream<Bytes, Uint8Array<ArrayBuffer>>;
/**
 * A stream that opens: a piece comes out when its chunk and all before it have verified. A piece
 * that is written belongs to the stream as long as it does with `sealStream`.
 */
export function openStream(options: OpenOptions): TransformStream<Bytes, Uint8Array<ArrayBuffer>>;
/** Seal an array. */
export function seal(bytes: Bytes, options: SealOptions): Promise<Uint8Array<ArrayBuffer>>;
/** Open an array. */
export function open(bytes: Bytes, options: OpenOptions): Promise<Uint8Array<ArrayBuffer>>;
/** The fields of a header of 128 bytes; SealedFileError when no writer makes such a header. */
export function readHeader(bytes: Bytes): Header;
/** The public number of a key: 8 bytes. */
export function keyId(algorithm: string, key: Bytes): Uint8Array<ArrayBuffer>;
/**
 * The key in a key file, given as bytes or as text; a passphrase where it is protected. It reads
 * symmetric keys (HANJI SECRET KEY) exactly as strictly as `hanji` does.
 */
export function readKeyFile(
  file: string | Bytes,
  passphrase?: string,
): Promise<{ algorithm: string; key: Uint8Array<ArrayBuffer> }>;
/**
 * The text of a key file without protection, as `hanji keygen` writes it; RangeError for a size
 * that the algorithm does not have, and for a comment that is not printable ASCII.
 */
export function writeKeyFile(algorithm: string, key: Bytes, comment?: string): string;
