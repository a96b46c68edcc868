// SPDX-License-Identifier: Apache-2.0
// hanji in WebAssembly: authenticated encryption, hash functions and extendable output.
import { copyOf, integer, rowOf, shown, sized, toBytes, zeros } from "./bytes.js";
import { wasmBase64 } from "./hanji.wasm.js";

export { toBytes };

const OK = 0;
const E_TAG = -3;
const E_LIMIT = -4;

/** The message was altered, or key, nonce or associated data differ. */
export class InvalidTag extends Error {
  constructor() {
    super("the tag does not match: the message was altered, or key, nonce or associated data"
      + " differ");
    this.name = "InvalidTag";
  }
}

function unpack(text) {
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < bytes.length; i++) bytes[i] = binary.charCodeAt(i);
  return bytes;
}

// 35 KB: compiled at once, so that no function needs to be asynchronous.
const { exports: c } = new WebAssembly.Instance(new WebAssembly.Module(unpack(wasmBase64)), {});
const PAGE = 65536;
// Not `& ~15`: JavaScript's bit operations are of 32 signed bits, and addresses reach 4 GiB.
const aligned = (address) => Math.ceil(address / 16) * 16;
const START = aligned(c.__heap_base.value);
const WINDOW = 1 << 20; // bytes of a long input that are in the memory of WebAssembly at a time

/** The most bytes that a call takes as a message, and as associated data: 1 GiB. */
export const maxMessageBytes = 2 ** 30;

/** Room in the memory of WebAssembly for one call; everything in it is wiped after the call. */
class Room {
  constructor(bytes) {
    const short = START + bytes + 256 - c.memory.buffer.byteLength;
    try {
      if (short > 0) c.memory.grow(Math.ceil(short / PAGE));
    } catch {
      throw new RangeError(`out of memory: WebAssembly could not get ${bytes} bytes for this call`);
    }
    this.at = START;
  }
  /** The address of `bytes` more bytes. */
  take(bytes) {
    const address = this.at;
    this.at = aligned(this.at + bytes);
    return address;
  }
  /** The address of a copy of an array. */
  put(array) {
    const address = this.take(array.length);
    new Uint8Array(c.memory.buffer).set(array, address);
    return address;
  }
  get(address, bytes) {
    return new Uint8Array(c.memory.buffer).slice(address, address + bytes);
  }
  wipe() {
    c.hanji_wipe(START, this.at - START);
  }
}

function must(code) {
  if (code === E_TAG) throw new InvalidTag();
  if (code === E_LIMIT) {
    throw new RangeError("the message is longer than a key of this cipher may process: about 4 MiB"
      + " with speck-64/128-eax (docs/algorithms.md). Use ascon-aead128, or cut the message and use"
      + " several keys");
  }
  if (code !== OK) throw new Error(`hanji refused the call with code ${code}`);
}

const EMPTY = new Uint8Array(0);
// By name: the name in C ("" for EAX), and bytes of key, nonce and tag.
const AEADS = {
  "ascon-aead128": ["ascon_aead128", 16, 16, 16],
  "schwaemm256-128": ["schwaemm256_128", 16, 32, 16],
  "schwaemm192-192": ["schwaemm192_192", 24, 24, 24],
  "schwaemm128-128": ["schwaemm128_128", 16, 16, 16],
  "schwaemm256-256": ["schwaemm256_256", 32, 32, 32],
  "speck-64/128-eax": ["", 16, 8, 8],
};

/** Names that `Aead` takes. */
export const aeadNames = Object.freeze(Object.keys(AEADS));

/** Random bytes of the system. */
export function randomBytes(bytes) {
  integer(bytes, 0, Number.MAX_SAFE_INTEGER, "the number of bytes");
  const out = zeros(bytes, "the random bytes");
  for (let at = 0; at < bytes; at += 65536) {
    crypto.getRandomValues(out.subarray(at, Math.min(at + 65536, bytes)));
  }
  return out;
}

function limited(value, most, what) {
  const found = toBytes(value, what);
  if (found.length > most) {
    throw new RangeError(`${what}: one call takes at most ${most} bytes (maxMessageBytes is`
      + ` ${maxMessageBytes}); ${found.length} were given. Cut it, or use sealStream`);
  }
  return found;
}

/** Authenticated encryption under one key. */
export class Aead {
  #algorithm;
  #call;
  #key;
  #nonceBytes;
  #tagBytes;
  #wiped = false;

  constructor(algorithm, key) {
    const [call, keyBytes, nonceBytes, tagBytes] = rowOf(AEADS, algorithm);
    this.#algorithm = algorithm;
    this.#call = call;
    this.#key = copyOf(sized(key, keyBytes, `the key of ${algorithm}`));
    this.#nonceBytes = nonceBytes;
    this.#tagBytes = tagBytes;
  }

  get algorithm() {
    return this.#algorithm;
  }

  get nonceBytes() {
    return this.#nonceBytes;
  }

  get tagBytes() {
    return this.#tagBytes;
  }

  /** A new key. */
  static generateKey(algorithm) {
    return randomBytes(rowOf(AEADS, algorithm)[1]);
  }

  #run(direction, nonce, text, ad) {
    if (this.#wiped) throw new Error("the key was erased; make a new Aead");
    const grows = direction === "encrypt" ? this.#tagBytes : -this.#tagBytes;
    const room = new Room(text.length + Math.max(grows, 0) + ad.length + 2048);
    try {
      const at = room.take(text.length + Math.max(grows, 0)); // input, then in its place output
      new Uint8Array(c.memory.buffer).set(text, at);
      const [adAt, nonceAt, key] = [room.put(ad), room.put(nonce), room.put(this.#key)];
      if (this.#call) {
        const call = c[`hanji_${this.#call}_${direction}`];
        must(call(at, at, text.length, adAt, ad.length, nonceAt, key));
      } else {
        const [block, eax] = [room.take(256), room.take(512)];
        must(c.hanji_block_init(key, 16, c.hanji_speck64_128(), block, 256));
        must(c.hanji_eax_init(this.#tagBytes, block, eax));
        const call = c[`hanji_eax_${direction}`];
        must(call(at, at, text.length, adAt, ad.length, nonceAt, nonce.length, eax));
      }
      return room.get(at, text.length + grows);
    } finally {
      room.wipe();
    }
  }

  /** Ciphertext and tag. A nonce is used once per key, ever. */
  encrypt(nonce, plaintext, associatedData = EMPTY) {
    const n = sized(nonce, this.#nonceBytes, "the nonce");
    const ad = limited(associatedData, maxMessageBytes, "the associated data");
    return this.#run("encrypt", n, limited(plaintext, maxMessageBytes, "the plaintext"), ad);
  }

  /** The plaintext; InvalidTag when the message, the nonce or the associated data differ. */
  decrypt(nonce, sealed, associatedData = EMPTY) {
    const n = sized(nonce, this.#nonceBytes, "the nonce");
    const ad = limited(associatedData, maxMessageBytes, "the associated data");
    const text = limited(sealed, maxMessageBytes + this.#tagBytes, "the sealed message");
    if (text.length < this.#tagBytes) throw new InvalidTag();
    return this.#run("decrypt", n, text, ad);
  }

  /** Erase the key; every later call fails. */
  wipe() {
    this.#key.fill(0);
    this.#wiped = true;
  }
}

// By name: bytes of the context in C, and of the digest; 0 for extendable output.
const HASHES = {
  "ascon-hash256": [48, 32],
  "esch256": [88, 32],
  "esch384": [88, 48],
  "ascon-xof128": [48, 0],
  "xoesch256": [88, 0],
  "xoesch384": [88, 0],
};

/** Names that `Hash` takes. */
export const hashNames = Object.freeze(Object.keys(HASHES));

/** A message being hashed. Not for passwords. */
export class Hash {
  #algorithm;
  #context;
  #name;
  #fixed;
  #done = false;

  constructor(algorithm) {
    const [contextBytes, digestBytes] = rowOf(HASHES, algorithm);
    this.#algorithm = algorithm;
    this.#fixed = digestBytes;
    this.#name = algorithm.replaceAll("-", "_");
    this.#context = new Uint8Array(contextBytes);
    this.#with(0, (ctx) => c[`hanji_${this.#name}_init`](ctx));
  }

  get algorithm() {
    return this.#algorithm;
  }

  #with(bytes, call) {
    const room = new Room(bytes + 256);
    try {
      const ctx = room.put(this.#context);
      must(call(ctx, room));
      this.#context = room.get(ctx, this.#context.length);
    } finally {
      room.wipe();
    }
  }

  /** The next piece of the message. */
  update(message) {
    if (this.#done) throw new Error("the digest has been taken; begin a new Hash");
    const bytes = toBytes(message, "the message");
    for (let at = 0; at < bytes.length; at += WINDOW) {
      const part = bytes.subarray(at, at + WINDOW);
      this.#with(part.length, (ctx, room) =>
        c[`hanji_${this.#name}_update`](room.put(part), part.length, ctx));
    }
    return this;
  }

  /** The digest; `bytes` is for extendable output, and 32 unless it is given. */
  digest(bytes = this.#fixed || 32) {
    if (this.#done) throw new Error("the digest has been taken; begin a new Hash");
    if (!Number.isSafeInteger(bytes) || bytes < 1 || (this.#fixed && bytes !== this.#fixed)) {
      const right = this.#fixed ? `${this.#fixed}` : "1 or more";
      throw new RangeError(
        `a digest of ${this.#algorithm} has ${right} bytes, not ${shown(bytes)}`);
    }
    const digest = zeros(bytes, "the digest");
    this.#done = true;
    for (let at = 0; at < bytes; at += WINDOW) {
      const some = Math.min(WINDOW, bytes - at);
      this.#with(some, (ctx, room) => {
        const out = room.take(some);
        const code = this.#fixed
          ? c[`hanji_${this.#name}_final`](out, ctx)
          : c[`hanji_${this.#name}_squeeze`](out, some, ctx);
        digest.set(room.get(out, some), at);
        return code;
      });
    }
    this.#context.fill(0);
    return digest;
  }
}

/** The digest of a whole message. */
export function hash(algorithm, message, bytes) {
  return new Hash(algorithm).update(message).digest(bytes);
}

/** Whether two arrays are equal, in time that depends on their lengths only. */
export function equal(a, b) {
  const [x, y] = [toBytes(a, "the first array"), toBytes(b, "the second array")];
  if (x.length !== y.length) return false;
  let same = 1;
  for (let at = 0; at < x.length; at += WINDOW) {
    const [one, other] = [x, y].map((array) => array.subarray(at, at + WINDOW));
    const room = new Room(2 * one.length + 64);
    try {
      same &= c.hanji_equal(room.put(one), room.put(other), one.length);
    } finally {
      room.wipe();
    }
  }
  return same === 1;
}

/** A number as `bytes` bytes, little-endian; RangeError where it does not fit. */
export function little(value, bytes) {
  const out = new Uint8Array(integer(bytes, 0, 1024, "the number of bytes"));
  if (typeof value !== "bigint") integer(value, 0, Number.MAX_SAFE_INTEGER, "the number");
  let rest = BigInt(value);
  if (rest < 0n || rest >> BigInt(8 * bytes) !== 0n) {
    throw new RangeError(`the number: ${value} does not fit into ${bytes} bytes without a sign`);
  }
  for (let i = 0; i < bytes; i++, rest >>= 8n) out[i] = Number(rest & 255n);
  return out;
}

/** `bytes` bytes of XOESCH256 over a label and fields: "Derivation" of docs/format.md. */
export function expand(label, fields, bytes) {
  if (typeof label !== "string" || !/^[\0-\x7f]*$/.test(label)) {
    throw new TypeError("the label: expected a string of ASCII characters");
  }
  const xof = new Hash("xoesch256");
  for (const field of [new TextEncoder().encode(label), ...fields]) {
    const part = toBytes(field, "a field");
    xof.update(little(part.length, 8)).update(part);
  }
  return xof.digest(bytes);
}
