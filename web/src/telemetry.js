// SPDX-License-Identifier: Apache-2.0
// Telemetry frames of version 2 and epoch keys, docs/telemetry.md.
import { copyOf, integer, rowOf, toBytes } from "./bytes.js";
import { Aead, InvalidTag, expand, little } from "./hanji.js";

const ALGORITHMS = {
  "schwaemm256-128": { number: 1, nonceBytes: 32, tagBytes: 16 },
  "speck-64/128-eax": { number: 2, nonceBytes: 8, tagBytes: 8 },
  "ascon-aead128": { number: 3, nonceBytes: 16, tagBytes: 16 },
};
const HEAD = 16;
const MOST = 2 ** 32 - 1; // of the numbers of devices, epochs and frames
const [MASTER_LEAST, MASTER_MOST] = [16, 64]; // as in include/hanji/telemetry.h

/** A frame that does not open, or comes again. */
export class FrameError extends Error {
  constructor(message) {
    super(message);
    this.name = "FrameError";
  }
}

/** The key of a device in an epoch: version 2 of the derivation. */
export function epochKey(master, algorithm, epoch, device) {
  const secret = toBytes(master, "the master key");
  if (secret.length < MASTER_LEAST || secret.length > MASTER_MOST) {
    throw new RangeError(`the master key: expected ${MASTER_LEAST} to ${MASTER_MOST} bytes;`
      + ` ${secret.length} were given`);
  }
  rowOf(ALGORITHMS, algorithm);
  integer(epoch, 0, MOST, "the epoch");
  integer(device, 0, MOST, "the device");
  const place = new Uint8Array(12);
  place.set(little(epoch, 8));
  place.set(little(device, 4), 8);
  const label = new TextEncoder().encode(algorithm);
  return expand("hanji epoch key 2", [secret, label, place], 16);
}

function aead(master, algorithm, epoch, device) {
  const key = epochKey(master, algorithm, epoch, device);
  try {
    return new Aead(algorithm, key);
  } finally {
    key.fill(0);
  }
}

/** One frame. The caller never gives a pair of epoch and number twice for a device. */
export function sealFrame(master, { algorithm, device, epoch, number }, text) {
  const { number: id, nonceBytes } = rowOf(ALGORITHMS, algorithm);
  const plaintext = toBytes(text, "the text");
  integer(plaintext.length, 0, 65535, "the size of the text");
  integer(number, 0, MOST, "the number");
  // Devices count epochs from 1, and the last number says that no epoch is left.
  integer(epoch, 1, MOST - 1, "the epoch");
  const cipher = aead(master, algorithm, epoch, device);
  const head = new Uint8Array(HEAD);
  head.set([2, id]);
  head.set(little(device, 4), 2);
  head.set(little(epoch, 4), 6);
  head.set(little(number, 4), 10);
  head.set(little(plaintext.length, 2), 14);
  const sealed = cipher.encrypt(little(number, nonceBytes), plaintext, head);
  cipher.wipe();
  const frame = new Uint8Array(HEAD + sealed.length);
  frame.set(head);
  frame.set(sealed, HEAD);
  return frame;
}

/** Opens frames of many devices, and refuses those that are not after the last one of a device. */
export class FrameOpener {
  #master;
  #last = new Map();

  /** `master` gives the master key of a device by its number, or undefined. */
  constructor(master) {
    if (typeof master !== "function") {
      throw new TypeError("FrameOpener: expected a function from a device's number to its master"
        + " key");
    }
    this.#master = master;
  }

  /** {device, epoch, number, algorithm, text}, or a FrameError that says why not. */
  open(frame) {
    // A copy: in shared memory somebody could change the head after the key of its device was
    // looked up, and so send frames in the name of another device.
    const bytes = copyOf(frame, "the frame");
    if (bytes.length < HEAD) {
      throw new FrameError(`a frame has at least 16 bytes; ${bytes.length} came`);
    }
    const view = new DataView(bytes.buffer);
    if (bytes[0] !== 2) {
      throw new FrameError(`the frame has version ${bytes[0]}; this reader knows 2`);
    }
    const found = Object.entries(ALGORITHMS).find(([, row]) => row.number === bytes[1]);
    if (!found) throw new FrameError(`the frame has algorithm ${bytes[1]}; known are 1 to 3`);
    const [algorithm, { nonceBytes, tagBytes }] = found;
    const device = view.getUint32(2, true);
    const epoch = view.getUint32(6, true);
    const number = view.getUint32(10, true);
    const expected = HEAD + view.getUint16(14, true) + tagBytes;
    if (bytes.length !== expected) {
      throw new FrameError(`the frame has ${bytes.length} bytes; its head says ${expected}`);
    }
    const find = this.#master;
    const master = find(device);
    if (master === undefined) throw new FrameError(`device ${device} is not known`);
    const place = BigInt(epoch) * 2n ** 32n + BigInt(number);
    const cipher = aead(master, algorithm, epoch, device);
    let text;
    try {
      const [head, body] = [bytes.subarray(0, HEAD), bytes.subarray(HEAD)];
      text = cipher.decrypt(little(number, nonceBytes), body, head);
    } catch (error) {
      if (error instanceof InvalidTag) throw new FrameError("the frame was altered");
      throw error;
    } finally {
      cipher.wipe();
    }
    if (place <= (this.#last.get(device) ?? -1n)) {
      throw new FrameError(`frame ${number} of epoch ${epoch} was sent twice, or is replayed`);
    }
    this.#last.set(device, place);
    return { device, epoch, number, algorithm, text };
  }
}
