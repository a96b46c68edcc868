// SPDX-License-Identifier: Apache-2.0
// Sealed files and key files, docs/format.md: streams in constant memory, both algorithms.
import { argon2idAsync } from "./argon2.js";
import { Aead, InvalidTag, equal, expand, hash, little, randomBytes, toBytes } from "./hanji.js";

const MARK = Uint8Array.of(0x89, 0x68, 0x61, 0x6e, 0x6a, 0x69, 0x0d, 0x0a);
const ALGORITHMS = ["", "schwaemm256-128", "ascon-aead128"];
const HEADER = 128;
const FRAME = 16;
const TAG = 16;

/** A sealed file or a key file that does not open; `code` says why, see `codes`. */
export class SealedFileError extends Error {
  constructor(code, message) {
    super(message);
    this.name = "SealedFileError";
    this.code = code;
  }
}

/** What `code` of a SealedFileError can be. */
export const codes = Object.freeze([
  "empty", "foreign", "version", "damaged-header", "parameter", "key-needed", "passphrase-needed",
  "wrong-key", "wrong-passphrase", "truncated", "altered", "duplicated", "reordered", "appended",
  "key-file",
]);

function fail(code, message) {
  throw new SealedFileError(code, message);
}

function number(bytes, at, size) {
  let value = 0n;
  for (let i = size - 1; i >= 0; i--) value = (value << 8n) | BigInt(bytes[at + i]);
  return value;
}

function hex(bytes) {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

function concat(...parts) {
  const out = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    out.set(part, at);
    at += part.length;
  }
  return out;
}

function checkCost({ passes, memoryKib, lanes }) {
  const right = (value, low, high) => Number.isInteger(value) && value >= low && value <= high;
  if (!right(passes, 1, 16) || !right(lanes, 1, 16) || !right(memoryKib, 8 * lanes, 1 << 20)) {
    fail("parameter", `Argon2id with ${passes} passes, ${lanes} lanes and ${memoryKib} KiB is out`
      + " of bounds (1 to 16, 1 to 16, 8 per lane to 1048576); nothing was computed");
  }
}

async function stretch(passphrase, salt, { passes, memoryKib, lanes }) {
  const text = new TextEncoder().encode(passphrase.normalize("NFC"));
  if (text.length === 0) fail("passphrase-needed", "the passphrase is empty; give one");
  const cost = { t: passes, m: memoryKib, p: lanes, dkLen: 32, version: 0x13 };
  return argon2idAsync(text, salt, cost);
}

/** The public number of a key: 8 bytes. */
export function keyId(algorithm, key) {
  return expand("hanji key id v1", [new TextEncoder().encode(algorithm), key], 8);
}

function derive(secret, salt, head) {
  const made = expand("hanji sealed file v1", [secret, salt, head], 48);
  const [key, commitment] = [made.slice(0, 16), made.slice(16)];
  made.fill(0);
  return { key, commitment };
}

function nonceOf(algorithm, frame) {
  return algorithm === "ascon-aead128" ? frame : concat(frame, new Uint8Array(16));
}

/** Bytes that came and have not been used, without copying each time that more come. */
class Queue {
  #parts = [];
  length = 0;
  push(part) {
    if (part.length) {
      this.#parts.push(part);
      this.length += part.length;
    }
  }
  /** The first `bytes` bytes, which are there; they leave the queue. */
  take(bytes) {
    const out = new Uint8Array(bytes);
    for (let at = 0; at < bytes;) {
      const part = this.#parts[0];
      const some = Math.min(part.length, bytes - at);
      out.set(part.subarray(0, some), at);
      at += some;
      if (some === part.length) this.#parts.shift();
      else this.#parts[0] = part.subarray(some);
    }
    this.length -= bytes;
    return out;
  }
}

function chooseKey({ key, passphrase }) {
  if ((key === undefined) === (passphrase === undefined)) {
    throw new TypeError("give either a key or a passphrase");
  }
}

/**
 * A stream that seals what goes through it.
 * Options: key (16 bytes) or passphrase; algorithm, "ascon-aead128" unless it is given; chunkSize,
 * a power of two from 4096 to 16777216; argon2: {passes, memoryKib, lanes}, {3, 65536, 4} unless
 * it is given.
 */
export function sealStream(options) {
  const { key, passphrase, algorithm = "ascon-aead128", chunkSize = 65536 } = options;
  chooseKey(options);
  const cost = options.argon2 ?? { passes: 3, memoryKib: 65536, lanes: 4 };
  const log2 = Math.log2(chunkSize);
  if (ALGORITHMS.indexOf(algorithm) < 1) {
    const known = ALGORITHMS.slice(1).join(" or ");
    throw new RangeError(`sealed files are of ${known}, not ${algorithm}`);
  }
  if (!Number.isInteger(log2) || log2 < 12 || log2 > 24) {
    throw new RangeError(`a chunk has 4096 to 16777216 bytes, a power of two; not ${chunkSize}`);
  }
  if (key !== undefined && toBytes(key, "the key").length !== 16) {
    throw new RangeError(`a key has 16 bytes; ${key.length} were given`);
  }
  if (passphrase !== undefined) checkCost(cost);
  const waiting = new Queue();
  let header, aead, index = 0n;

  function chunk(piece, last) {
    const frame = concat(little(index++, 8), little(piece.length, 4), Uint8Array.of(last, 0, 0, 0));
    const sealed = aead.encrypt(nonceOf(algorithm, frame), piece, header);
    piece.fill(0);
    return concat(frame, sealed);
  }

  return new TransformStream({
    async start(controller) {
      const source = key !== undefined ? 1 : 2;
      const salt = randomBytes(32);
      const t = source === 1 ? { passes: 0, memoryKib: 0, lanes: 0 } : cost;
      const head = concat(
        MARK, little(1, 2), Uint8Array.of(ALGORITHMS.indexOf(algorithm), source, log2, t.passes,
          t.lanes, 0), little(t.memoryKib, 4), new Uint8Array(4),
        source === 1 ? keyId(algorithm, key) : new Uint8Array(8));
      const secret = source === 1 ? toBytes(key, "the key") : await stretch(passphrase, salt, cost);
      const made = derive(secret, salt, head);
      if (source === 2) secret.fill(0);
      const sum = hash("esch256", concat(head, salt, made.commitment));
      header = concat(head, salt, made.commitment, sum);
      aead = new Aead(algorithm, made.key);
      made.key.fill(0);
      controller.enqueue(header);
    },
    transform(part, controller) {
      waiting.push(toBytes(part, "a piece of the stream"));
      // The last chunk is full or not, but never empty unless the whole text is.
      while (waiting.length > chunkSize) controller.enqueue(chunk(waiting.take(chunkSize), 0));
    },
    flush(controller) {
      controller.enqueue(chunk(waiting.take(waiting.length), 1));
      aead.wipe();
    },
  });
}

/** The fields of a header of 128 bytes; SealedFileError when no writer makes such a header. */
export function readHeader(bytes) {
  const b = toBytes(bytes, "the header");
  if (b.length === 0) fail("empty", "the file is empty");
  if (MARK.some((byte, i) => i < b.length && b[i] !== byte)) {
    fail("foreign", "this is no sealed file of hanji");
  }
  if (b.length >= 10 && number(b, 8, 2) !== 1n) {
    fail("version", `the file has format version ${number(b, 8, 2)}; this reader knows 1`);
  }
  if (b.length < HEADER) fail("truncated", "the file is truncated inside the header");
  if (!equal(hash("esch256", b.subarray(0, 96)), b.subarray(96, 128))) {
    fail("damaged-header", "the header is damaged: its checksum is wrong");
  }
  const algorithm = ALGORITHMS[b[10]];
  if (!algorithm) fail("version", `the file has algorithm ${b[10]}; this reader knows 1 and 2`);
  const [source, log2] = [b[11], b[12]];
  const argon2 = { passes: b[13], lanes: b[14], memoryKib: Number(number(b, 16, 4)) };
  const zeros = source === 1 ? [b[13], b[14], Number(number(b, 16, 4))] : [...b.subarray(24, 32)];
  if ((source !== 1 && source !== 2) || b[15] !== 0 || number(b, 20, 4) !== 0n
      || zeros.some((value) => value !== 0)) {
    fail("damaged-header", "the header has a field that no writer makes");
  }
  if (log2 < 12 || log2 > 24) {
    fail("parameter", `a chunk of 2^${log2} bytes is out of bounds (2^12 to 2^24)`);
  }
  if (source === 2) checkCost(argon2);
  return {
    algorithm,
    keySource: source === 1 ? "key" : "passphrase",
    chunkSize: 2 ** log2,
    argon2: source === 2 ? argon2 : undefined,
    keyId: b.slice(24, 32),
    salt: b.slice(32, 64),
    commitment: b.slice(64, 96),
  };
}

/**
 * A stream that opens what goes through it. Options: key (16 bytes) or passphrase, or both.
 * A piece comes out when its chunk and all before it have verified; the file is whole only when the
 * stream ends without an error.
 */
export function openStream(options) {
  const { key, passphrase } = options;
  const waiting = new Queue();
  let header, fields, aead, frame, index = 0n, whole = false;

  async function begin() {
    header = waiting.take(HEADER);
    fields = readHeader(header);
    let secret;
    if (fields.keySource === "key") {
      if (key === undefined) fail("key-needed", "the file is sealed with a key; give it");
      secret = toBytes(key, "the key");
      const mine = keyId(fields.algorithm, secret);
      if (!equal(mine, fields.keyId)) {
        fail("wrong-key", `the file wants the key ${hex(fields.keyId)}; this is ${hex(mine)}`);
      }
    } else {
      if (passphrase === undefined) {
        fail("passphrase-needed", "the file is sealed with a passphrase; give it");
      }
      secret = await stretch(passphrase, fields.salt, fields.argon2);
    }
    const made = derive(secret, fields.salt, header.subarray(0, 32));
    if (fields.keySource === "passphrase") secret.fill(0);
    if (!equal(made.commitment, fields.commitment)) {
      if (fields.keySource === "key") {
        fail("damaged-header", "the header is damaged: its commitment does not fit the key");
      }
      fail("wrong-passphrase", "the passphrase is wrong");
    }
    aead = new Aead(fields.algorithm, made.key);
    made.key.fill(0);
  }

  function open(record) {
    const [at, bytes] = [number(frame, 0, 8), Number(number(frame, 8, 4))];
    const last = frame[12];
    const altered = () => fail("altered", `chunk ${index} was altered`);
    const full = last ? bytes >= (at === 0n ? 0 : 1) : bytes === fields.chunkSize;
    if (last > 1 || frame[13] || frame[14] || frame[15] || !full) altered();
    let piece;
    try {
      piece = aead.decrypt(nonceOf(fields.algorithm, frame), record, header);
    } catch (error) {
      if (error instanceof InvalidTag) altered();
      throw error;
    }
    if (at < index) fail("duplicated", `chunk ${at} comes again in the place of chunk ${index}`);
    if (at > index) {
      fail("reordered", `chunk ${at} stands in the place of chunk ${index}: chunks were reordered`
        + " or removed");
    }
    index++;
    whole = last === 1;
    return piece;
  }

  async function work(controller) {
    if (!fields && waiting.length >= HEADER) await begin();
    while (fields) {
      if (whole && waiting.length) {
        fail("appended", "bytes follow the final chunk: data were appended");
      }
      if (!frame && waiting.length >= FRAME && !whole) {
        frame = waiting.take(FRAME);
        if (number(frame, 8, 4) > BigInt(fields.chunkSize)) {
          fail("altered", `chunk ${index} was altered`);
        }
      }
      const bytes = frame ? Number(number(frame, 8, 4)) + TAG : Infinity;
      if (waiting.length < bytes) return;
      const piece = open(waiting.take(bytes));
      frame = undefined;
      if (piece.length) controller.enqueue(piece);
    }
  }

  return new TransformStream({
    async transform(part, controller) {
      waiting.push(toBytes(part, "a piece of the stream"));
      await work(controller);
    },
    flush() {
      if (!fields) readHeader(waiting.take(waiting.length));
      aead.wipe();
      if (!whole) {
        const place = frame || waiting.length ? "inside" : "before";
        fail("truncated", `the file is truncated ${place} chunk ${index}`);
      }
    },
  });
}

async function through(bytes, stream) {
  const source = new Blob([bytes]).stream().pipeThrough(stream);
  return new Uint8Array(await new Response(source).arrayBuffer());
}

/** Seal an array; options as for `sealStream`. */
export function seal(bytes, options) {
  return through(toBytes(bytes, "the text"), sealStream(options));
}

/** Open an array; options as for `openStream`. */
export function open(bytes, options) {
  return through(toBytes(bytes, "the sealed file"), openStream(options));
}

/** The key in the text of a key file; a passphrase where it is protected. */
export async function readKeyFile(text, passphrase) {
  const wrong = (why) => fail("key-file", `this is no key file of hanji: ${why}`);
  const lines = text.split("\n").map((line) => line.trimEnd());
  const rows = lines.join("\n").trim().split("\n");
  const label = /^-----BEGIN (HANJI SECRET KEY)-----$/.exec(rows[0])?.[1];
  if (!label) wrong("its first line is not -----BEGIN HANJI SECRET KEY-----");
  const end = `-----END ${label}-----`;
  if (rows.at(-1) !== end) wrong(`its last line is not ${end}`);
  const blank = rows.indexOf("");
  const heads = rows.slice(1, blank);
  const names = heads.map((line) => line.split(": ", 1)[0]).filter((name) => name !== "Comment");
  if (blank < 0 || names.join() !== "Version,Algorithm,Key-Id,Protection,Checksum") {
    wrong("its lines are not Version, Algorithm, Key-Id, Protection, Comment and Checksum");
  }
  const value = (name) => heads.find((line) => line.startsWith(`${name}: `)).slice(name.length + 2);
  if (value("Version") !== "1") wrong(`it has version ${value("Version")}; this reader knows 1`);
  let body;
  try {
    const text64 = rows.slice(blank + 1, -1).join("");
    body = Uint8Array.from(atob(text64), (letter) => letter.charCodeAt(0));
  } catch {
    wrong("its body is not base64");
  }
  const head = new TextEncoder().encode([label, ...heads.slice(0, -1)].join("\n"));
  const sum = hash("esch256", concat(head, Uint8Array.of(10, 10), body)).subarray(0, 8);
  if (hex(sum) !== value("Checksum")) wrong("its checksum is wrong: it is damaged");
  const algorithm = value("Algorithm");
  let key = body;
  if (value("Protection") !== "none") {
    const cost = /^argon2id t=(\d+) m=(\d+) p=(\d+) salt=([0-9a-f]{64})$/;
    const found = cost.exec(value("Protection"));
    if (!found) wrong(`its protection is ${value("Protection")}`);
    if (passphrase === undefined) {
      fail("passphrase-needed", "the key is protected; give a passphrase");
    }
    const [passes, memoryKib, lanes] = found.slice(1, 4).map(Number);
    checkCost({ passes, memoryKib, lanes });
    const salt = Uint8Array.from(found[4].match(/../g), (two) => parseInt(two, 16));
    const stretched = await stretch(passphrase, salt, { passes, memoryKib, lanes });
    const made = expand("hanji key protection v1", [stretched, head], 48);
    stretched.fill(0);
    if (body.length < 32 || !equal(made.subarray(16), body.subarray(0, 32))) {
      fail("wrong-passphrase", "the passphrase is wrong");
    }
    const nonce = new Uint8Array(32);
    key = new Aead("schwaemm256-128", made.subarray(0, 16)).decrypt(nonce, body.subarray(32), head);
    made.fill(0);
  }
  if (hex(keyId(algorithm, key)) !== value("Key-Id")) wrong("its key id is not that of its key");
  return { algorithm, key };
}

/** The text of a key file without protection, as `hanji keygen` writes it. */
export function writeKeyFile(algorithm, key, comment = "") {
  if (!/^[ -~]{0,200}$/.test(comment)) {
    throw new RangeError("a comment has at most 200 printable ASCII characters");
  }
  const label = "HANJI SECRET KEY";
  const heads = ["Version: 1", `Algorithm: ${algorithm}`, `Key-Id: ${hex(keyId(algorithm, key))}`,
    "Protection: none", ...(comment ? [`Comment: ${comment}`] : [])];
  const head = new TextEncoder().encode([label, ...heads].join("\n"));
  const sum = hash("esch256", concat(head, Uint8Array.of(10, 10), key)).subarray(0, 8);
  const body = btoa(String.fromCharCode(...key));
  const rows = [`-----BEGIN ${label}-----`, ...heads, `Checksum: ${hex(sum)}`, "", body];
  return [...rows, `-----END ${label}-----`, ""].join("\n");
}

