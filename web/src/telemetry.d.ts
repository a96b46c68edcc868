// SPDX-License-Identifier: Apache-2.0
import type { Bytes } from "./hanji.js";

export type FrameAlgorithm = "schwaemm256-128" | "speck-64/128-eax" | "ascon-aead128";
export interface Place {
  algorithm: FrameAlgorithm;
  device: number;
  epoch: number;
  number: number;
}
/** A frame that does not open, or comes again. */
export class FrameError extends Error {
  constructor(message: string);
}
/**
 * The key of a device in an epoch: version 2 of the derivation. A master key has 16 to 64 bytes,
 * here and everywhere in this module; RangeError for any other.
 */
export function epochKey(
  master: Bytes,
  algorithm: FrameAlgorithm,
  epoch: number,
  device: number,
): Uint8Array<ArrayBuffer>;
/** One frame. The caller never gives a pair of epoch and number twice for a device. */
export function sealFrame(master: Bytes, place: Place, text: Bytes): Uint8Array<ArrayBuffer>;
/** Opens frames of many devices, and refuses those that are not after the last one of a device. */
export class FrameOpener {
  /** `master` gives the master key of a device by its number, or undefined. */
  constructor(master: (device: number) => Bytes | undefined);
  open(frame: Bytes): Place & { text: Uint8Array<ArrayBuffer> };
}
