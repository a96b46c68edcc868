// SPDX-License-Identifier: Apache-2.0
// hanji in WebAssembly: authenticated encryption, hash functions and extendable output.
import { wasmBase64 } from "./hanji.wasm.js";

const OK = 0;
const E_TAG = -3;

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
const START = (c.__heap_base.value + 15) & ~15;

/** Room in the memory of WebAssembly for one call; everything in it is wiped after the call. */
class Room {
  constructor(bytes) {
    const short = START + bytes + 256 - c.memory.buffer.byteLength;
    if (short > 0) c.memory.grow(Math.ceil(short / PAGE));
    this.at = START;
  }
  /** The address of `bytes` more bytes. */
  take(bytes) {
    const address = this.at;
    this.at = (this.at + bytes + 15) & ~15;
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

/** Bytes of a Uint8Array, ArrayBuffer or view; a TypeError for anything else. */
export function toBytes(value, what) {
  if (value instanceof Uint8Array) return value;
  if (value instanceof ArrayBuffer) return new Uint8Array(value);
  if (ArrayBuffer.isView(value)) {
    return new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
  }
  throw new TypeError(`${what}: a Uint8Array was expected, not ${typeof value}`);
}

function sized(value, bytes, what) {
  const found = toBytes(value, what);
  if (found.length !== bytes) {
    throw new RangeError(`${what}: ${bytes} bytes were expected; ${found.length} were given`);
  }
  return found;
}

function must(code) {
  if (code === E_TAG) throw new InvalidTag();
  if (code !== OK) throw new Error(`hanji refused the call with code ${code}`);
}

const EMPTY = new Uint8Array(0);
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
  const out = new Uint8Array(bytes);
  for (let at = 0; at < bytes; at += 65536) {
    crypto.getRandomValues(out.subarray(at, Math.min(at + 65536, bytes)));
  }
  return out;
}

/** Authenticated encryption under one key. */
export class Aead {
  #key;
  #call;
  #wiped = false;

  constructor(algorithm, key) {
    if (!Object.hasOwn(AEADS, algorithm)) {
      throw new RangeError(`there is no ${algorithm}; known are ${aeadNames.join(", ")}`);
    }
    const [call, keyBytes, nonceBytes, tagBytes] = AEADS[algorithm];
    this.algorithm = algorithm;
    this.nonceBytes = nonceBytes;
    this.tagBytes = tagBytes;
    this.#call = call;
    this.#key = sized(key, keyBytes, `the key of ${algorithm}`).slice();
  }

  /** A new key. */
  static generateKey(algorithm) {
    return randomBytes(AEADS[algorithm][1]);
  }

  #run(direction, nonce, text, ad) {
    if (this.#wiped) throw new Error("the key was erased; make a new Aead");
    const grows = direction === "encrypt" ? this.tagBytes : -this.tagBytes;
    const room = new Room(2 * text.length + ad.length + 2048);
    try {
      const out = room.take(text.length + Math.max(grows, 0));
      const [input, adAt, nonceAt] = [room.put(text), room.put(ad), room.put(nonce)];
      const key = room.put(this.#key);
      if (this.#call) {
        const call = c[`hanji_${this.#call}_${direction}`];
        must(call(out, input, text.length, adAt, ad.length, nonceAt, key));
      } else {
        const [block, eax] = [room.take(256), room.take(512)];
        must(c.hanji_block_init(key, 16, c.hanji_speck64_128(), block, 256));
        must(c.hanji_eax_init(this.tagBytes, block, eax));
        const call = c[`hanji_eax_${direction}`];
        must(call(out, input, text.length, adAt, ad.length, nonceAt, nonce.length, eax));
      }
      return room.get(out, text.length + grows);
    } finally {
      room.wipe();
    }
  }

  /** Ciphertext and tag. A nonce is used once per key, ever. */
  encrypt(nonce, plaintext, associatedData = EMPTY) {
    const n = sized(nonce, this.nonceBytes, "the nonce");
    const ad = toBytes(associatedData, "the associated data");
    return this.#run("encrypt", n, toBytes(plaintext, "the plaintext"), ad);
  }

  /** The plaintext; InvalidTag when the message, the nonce or the associated data differ. */
  decrypt(nonce, sealed, associatedData = EMPTY) {
    const n = sized(nonce, this.nonceBytes, "the nonce");
    const text = toBytes(sealed, "the sealed message");
    if (text.length < this.tagBytes) throw new InvalidTag();
    return this.#run("decrypt", n, text, toBytes(associatedData, "the associated data"));
  }

  /** Erase the key; every later call fails. */
  wipe() {
    this.#key.fill(0);
    this.#wiped = true;
  }
}

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
  #context;
  #name;
  #fixed;
  #done = false;

  constructor(algorithm) {
    if (!Object.hasOwn(HASHES, algorithm)) {
      throw new RangeError(`there is no ${algorithm}; known are ${hashNames.join(", ")}`);
    }
    const [contextBytes, digestBytes] = HASHES[algorithm];
    this.algorithm = algorithm;
    this.#fixed = digestBytes;
    this.#name = algorithm.replaceAll("-", "_");
    this.#context = new Uint8Array(contextBytes);
    this.#with(0, (ctx) => c[`hanji_${this.#name}_init`](ctx));
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
    this.#with(bytes.length, (ctx, room) =>
      c[`hanji_${this.#name}_update`](room.put(bytes), bytes.length, ctx));
    return this;
  }

  /** The digest; `bytes` is for extendable output, and 32 unless it is given. */
  digest(bytes = this.#fixed || 32) {
    if (this.#done) throw new Error("the digest has been taken; begin a new Hash");
    if (!Number.isSafeInteger(bytes) || bytes < 1 || (this.#fixed && bytes !== this.#fixed)) {
      const right = this.#fixed ? `${this.#fixed}` : "1 or more";
      throw new RangeError(`a digest of ${this.algorithm} has ${right} bytes, not ${bytes}`);
    }
    this.#done = true;
    let found;
    this.#with(bytes, (ctx, room) => {
      const out = room.take(bytes);
      const code = this.#fixed
        ? c[`hanji_${this.#name}_final`](out, ctx)
        : c[`hanji_${this.#name}_squeeze`](out, bytes, ctx);
      found = room.get(out, bytes);
      return code;
    });
    this.#context.fill(0);
    return found;
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
  const room = new Room(2 * x.length + 64);
  try {
    return c.hanji_equal(room.put(x), room.put(y), x.length) === 1;
  } finally {
    room.wipe();
  }
}

/** A number as `bytes` bytes, little-endian. */
export function little(value, bytes) {
  const out = new Uint8Array(bytes);
  let rest = BigInt(value);
  for (let i = 0; i < bytes; i++, rest >>= 8n) out[i] = Number(rest & 255n);
  return out;
}

/** `bytes` bytes of XOESCH256 over a label and fields: "Derivation" of docs/format.md. */
export function expand(label, fields, bytes) {
  const xof = new Hash("xoesch256");
  for (const field of [new TextEncoder().encode(label), ...fields]) {
    xof.update(little(field.length, 8)).update(field);
  }
  return xof.digest(bytes);
}
