// SPDX-License-Identifier: Apache-2.0
// Sealed files and key files, docs/format.md: streams in constant memory, both algorithms.
import { argon2idAsync } from "./argon2.js";
import { copyOf, named, shown, sized, toBytes } from "./bytes.js";
import { Aead, InvalidTag, equal, expand, hash, little, randomBytes } from "./hanji.js";

const MARK = Uint8Array.of(0x89, 0x68, 0x61, 0x6e, 0x6a, 0x69, 0x0d, 0x0a);
const ALGORITHMS = ["", "schwaemm256-128", "ascon-aead128"];
// Where the secret of a file comes from, by number. "shared-passphrase" is a passphrase that was
// stretched once for all files of a run, with the first bytes of their salts.
const SOURCES = ["", "key", "passphrase", "shared-passphrase"];
const SHARED_SALT = 16;
const HEADER = 128;
const FRAME = 16;
const TAG = 16;
const PIECE = 65536; // bytes of an array that go through a stream at a time

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

/** The cost in an object of its own, so that what was checked is what is used. */
function checkCost({ passes, memoryKib, lanes }) {
  const right = (value, low, high) => Number.isInteger(value) && value >= low && value <= high;
  if (!right(passes, 1, 16) || !right(lanes, 1, 16) || !right(memoryKib, 8 * lanes, 1 << 20)) {
    const [p, l, m] = [passes, lanes, memoryKib].map(shown);
    fail("parameter", `Argon2id with ${p} passes, ${l} lanes and ${m} KiB is out of bounds (1 to`
      + " 16, 1 to 16, 8 per lane to 1048576); nothing was computed");
  }
  return { passes, memoryKib, lanes };
}

/** A passphrase as it goes into Argon2id: UTF-8 of normalization form C. */
function encoded(passphrase) {
  if (typeof passphrase !== "string") {
    throw new TypeError(`the passphrase: expected a string, not ${shown(passphrase)}`);
  }
  // TextEncoder would make U+FFFD of each of them, and different passphrases would be one.
  if (/\p{Surrogate}/u.test(passphrase)) {
    throw new RangeError("the passphrase is not valid Unicode text: it holds half of a surrogate"
      + " pair");
  }
  return new TextEncoder().encode(passphrase.normalize("NFC"));
}

async function stretch(text, salt, { passes, memoryKib, lanes }) {
  if (text.length === 0) fail("passphrase-needed", "the passphrase is empty; give one");
  const cost = { t: passes, m: memoryKib, p: lanes, dkLen: 32, version: 0x13 };
  return argon2idAsync(text, salt, cost);
}

function ascii(text, what) {
  if (typeof text !== "string" || !/^[\0-\x7f]*$/.test(text)) {
    throw new TypeError(`${what}: expected a string of ASCII characters`);
  }
  return new TextEncoder().encode(text);
}

/** The public number of a key: 8 bytes. */
export function keyId(algorithm, key) {
  return expand("hanji key id v1", [ascii(algorithm, "the algorithm"), toBytes(key, "the key")], 8);
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

/**
 * Gathers bytes out of pieces of any size in a buffer of its own. Nothing here keeps a view of a
 * piece: its owner may fill it again as soon as the promise of `write` has resolved.
 */
class Gathered {
  #bytes;
  #used = 0;
  constructor(size) {
    this.expect(size);
  }
  /** Empty, with room for `size` bytes. */
  expect(size) {
    this.wipe();
    if (this.#bytes?.length !== size) this.#bytes = new Uint8Array(size);
  }
  /** Copies as many bytes of a piece as there is room for; the rest of the piece. */
  take(piece) {
    const some = piece.subarray(0, this.#bytes.length - this.#used);
    this.#bytes.set(some, this.#used);
    this.#used += some.length;
    return piece.subarray(some.length);
  }
  get full() {
    return this.#used === this.#bytes.length;
  }
  /** What has been gathered, until the next call of `expect` or `wipe`. */
  get bytes() {
    return this.#bytes.subarray(0, this.#used);
  }
  wipe() {
    this.#bytes?.fill(0, 0, this.#used);
    this.#used = 0;
  }
}

/**
 * A TransformStream whose secrets are erased when it ends, fails, or is given up by either side.
 * Older engines do not call `cancel`; there the secrets of a stream that is given up stay until
 * garbage collection.
 */
function erasing(erase, { start, transform, flush }) {
  const safely = (step) => async (...given) => {
    try {
      await step(...given);
    } catch (error) {
      erase();
      throw error;
    }
  };
  return new TransformStream({
    start: safely(start),
    transform: safely(transform),
    flush: safely(async (controller) => {
      await flush(controller);
      erase();
    }),
    cancel: erase,
  });
}

/**
 * A stream that seals what goes through it.
 * Options: key (16 bytes) or passphrase; algorithm, "ascon-aead128" unless it is given; chunkSize,
 * a power of two from 4096 to 16777216; argon2: {passes, memoryKib, lanes}, {3, 65536, 4} unless
 * it is given.
 */
export function sealStream(options) {
  const { key, passphrase, algorithm = "ascon-aead128", chunkSize = 65536, argon2 } = options;
  if ((key === undefined) === (passphrase === undefined)) {
    throw new TypeError("give either a key or a passphrase");
  }
  if (typeof algorithm !== "string" || ALGORITHMS.indexOf(algorithm) < 1) {
    const known = ALGORITHMS.slice(1).join(" or ");
    throw new RangeError(`sealed files are of ${known}, not ${named(algorithm)}`);
  }
  const log2 = typeof chunkSize === "number" ? Math.log2(chunkSize) : NaN;
  if (!Number.isInteger(log2) || log2 < 12 || log2 > 24) {
    throw new RangeError("a chunk has 4096 to 16777216 bytes, a power of two; not"
      + ` ${shown(chunkSize)}`);
  }
  const source = key !== undefined ? "key" : "passphrase";
  const cost = source === "key"
    ? { passes: 0, memoryKib: 0, lanes: 0 }
    : checkCost(argon2 ?? { passes: 3, memoryKib: 65536, lanes: 4 });
  const given = source === "key"
    ? copyOf(sized(key, 16, "the key"), "the key") : encoded(passphrase);
  const piece = new Gathered(chunkSize);
  let header, aead, index = 0n;

  function chunk(last) {
    const text = piece.bytes;
    const frame = concat(little(index++, 8), little(text.length, 4), Uint8Array.of(last, 0, 0, 0));
    const sealed = aead.encrypt(nonceOf(algorithm, frame), text, header);
    piece.wipe();
    return concat(frame, sealed);
  }

  function erase() {
    given.fill(0);
    piece.wipe();
    aead?.wipe();
  }

  return erasing(erase, {
    async start(controller) {
      const salt = randomBytes(32);
      const head = concat(
        MARK, little(1, 2), Uint8Array.of(ALGORITHMS.indexOf(algorithm), SOURCES.indexOf(source),
          log2, cost.passes, cost.lanes, 0), little(cost.memoryKib, 4), new Uint8Array(4),
        source === "key" ? keyId(algorithm, given) : new Uint8Array(8));
      const secret = source === "key" ? given : await stretch(given, salt, cost);
      const made = derive(secret, salt, head);
      secret.fill(0);
      given.fill(0);
      const sum = hash("esch256", concat(head, salt, made.commitment));
      header = concat(head, salt, made.commitment, sum);
      aead = new Aead(algorithm, made.key);
      made.key.fill(0);
      controller.enqueue(header.slice());
    },
    transform(part, controller) {
      let rest = toBytes(part, "a piece of the stream");
      while (rest.length) {
        // Full is not yet sealed: when no byte follows, this is the last chunk.
        if (piece.full) controller.enqueue(chunk(0));
        rest = piece.take(rest);
      }
    },
    flush(controller) {
      controller.enqueue(chunk(1));
    },
  });
}

/** The fields of a header of 128 bytes; SealedFileError when no writer makes such a header. */
export function readHeader(bytes) {
  const b = copyOf(bytes, "the header"); // what the checksum covers is what is read
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
  const [keySource, log2] = [SOURCES[b[11]], b[12]];
  const argon2 = { passes: b[13], lanes: b[14], memoryKib: Number(number(b, 16, 4)) };
  const zeros = keySource === "key"
    ? [b[13], b[14], Number(number(b, 16, 4))] : [...b.subarray(24, 32)];
  if (!keySource || b[15] !== 0 || number(b, 20, 4) !== 0n
      || zeros.some((value) => value !== 0)) {
    fail("damaged-header", "the header has a field that no writer makes");
  }
  if (log2 < 12 || log2 > 24) {
    fail("parameter", `a chunk of 2^${log2} bytes is out of bounds (2^12 to 2^24)`);
  }
  if (keySource !== "key") checkCost(argon2);
  return {
    algorithm,
    keySource,
    chunkSize: 2 ** log2,
    argon2: keySource === "key" ? undefined : argon2,
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
  const given = key === undefined ? undefined : copyOf(sized(key, 16, "the key"), "the key");
  const text = passphrase === undefined ? undefined : encoded(passphrase);
  const waiting = new Gathered(HEADER);
  let header, fields, aead, frame, index = 0n, whole = false;

  function erase() {
    given?.fill(0);
    text?.fill(0);
    waiting.wipe();
    aead?.wipe();
  }

  async function begin() {
    header = waiting.bytes.slice();
    fields = readHeader(header);
    let secret;
    if (fields.keySource === "key") {
      if (given === undefined) fail("key-needed", "the file is sealed with a key; give it");
      secret = given;
      const mine = keyId(fields.algorithm, secret);
      if (!equal(mine, fields.keyId)) {
        fail("wrong-key", `the file wants the key ${hex(fields.keyId)}; this is ${hex(mine)}`);
      }
    } else {
      if (text === undefined) {
        fail("passphrase-needed", "the file is sealed with a passphrase; give it");
      }
      const shared = fields.keySource === "shared-passphrase";
      const salt = shared ? fields.salt.subarray(0, SHARED_SALT) : fields.salt;
      secret = await stretch(text, salt, fields.argon2);
    }
    const made = derive(secret, fields.salt, header.subarray(0, 32));
    secret.fill(0);
    given?.fill(0);
    text?.fill(0);
    if (!equal(made.commitment, fields.commitment)) {
      made.key.fill(0);
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

  /** The header, a frame or a record has been gathered. */
  async function next(controller) {
    if (!fields) {
      await begin();
      waiting.expect(FRAME);
    } else if (!frame) {
      frame = waiting.bytes.slice();
      const bytes = Number(number(frame, 8, 4));
      if (bytes > fields.chunkSize) fail("altered", `chunk ${index} was altered`);
      waiting.expect(bytes + TAG);
    } else {
      const piece = open(waiting.bytes);
      frame = undefined;
      waiting.expect(FRAME);
      if (piece.length) controller.enqueue(piece);
    }
  }

  return erasing(erase, {
    start() {},
    async transform(part, controller) {
      let rest = toBytes(part, "a piece of the stream");
      while (rest.length) {
        if (whole) fail("appended", "bytes follow the final chunk: data were appended");
        rest = waiting.take(rest);
        if (waiting.full) await next(controller);
      }
    },
    flush() {
      if (!fields) readHeader(waiting.bytes); // fails: what is there is less than a header
      if (!whole) {
        const place = frame || waiting.bytes.length ? "inside" : "before";
        fail("truncated", `the file is truncated ${place} chunk ${index}`);
      }
    },
  });
}

/** What a stream makes of the bytes, which are a copy of our own and are erased. */
async function through(bytes, stream) {
  let at = 0;
  const source = new ReadableStream({
    pull(controller) {
      if (at < bytes.length) controller.enqueue(bytes.subarray(at, at += PIECE));
      else controller.close();
    },
  });
  try {
    return new Uint8Array(await new Response(source.pipeThrough(stream)).arrayBuffer());
  } finally {
    bytes.fill(0);
  }
}

/** Seal an array; options as for `sealStream`. */
export async function seal(bytes, options) {
  return through(copyOf(bytes, "the text"), sealStream(options));
}

/** Open an array; options as for `openStream`. */
export async function open(bytes, options) {
  return through(copyOf(bytes, "the sealed file"), openStream(options));
}

const LABEL = "HANJI SECRET KEY";
// The names of the header lines.
const HEADS = ["Version", "Algorithm", "Key-Id", "Protection", "Checksum"];
const HEADS_COMMENTED = ["Version", "Algorithm", "Key-Id", "Protection", "Comment", "Checksum"];
const MAX_TEXT = 16 << 20; // characters of a key file
// Sizes of keys by name, as hanji.keys has them; of other algorithms any size is taken.
const KEY_BYTES = new Map(Object.entries({
  8: "speck-32/64 simon-32/64 simeck-32/64",
  9: "speck-48/72 simon-48/72",
  12: "speck-48/96 speck-64/96 speck-96/96 simon-48/96 simon-64/96 simon-96/96 simeck-48/96",
  16: "ascon-aead128 schwaemm256-128 schwaemm128-128 speck-64/128 speck-128/128 simon-64/128"
    + " simon-128/128 simeck-64/128 cham-64/128 cham-128/128 cham-64/128-original"
    + " cham-128/128-original",
  18: "speck-96/144 simon-96/144",
  24: "schwaemm192-192 speck-128/192 simon-128/192",
  32: "schwaemm256-256 speck-128/256 simon-128/256 cham-128/256 cham-128/256-original",
}).flatMap(([bytes, names]) => names.split(" ").map((name) => [name, Number(bytes)])));

/** Why hanji makes and reads no key with these fields; undefined where it does. */
function unusable(algorithm, key, comment) {
  if (typeof algorithm !== "string" || !/^[a-z0-9][a-z0-9/_.+-]{0,63}$/.test(algorithm)) {
    return "the name of its algorithm is not a lower-case name such as ascon-aead128";
  }
  const expected = KEY_BYTES.get(algorithm);
  if (expected !== undefined && key.length !== expected) {
    return `a ${algorithm} key has ${expected} bytes, not ${key.length}`;
  }
  if (typeof comment !== "string" || comment.length > 200
      || !/^(?:[!-~](?:[ -~]*[!-~])?)?$/.test(comment)) {
    return "a comment is one line of at most 200 printable ASCII characters, without spaces around"
      + " it";
  }
  return undefined;
}

/** Linear in the length of the row, as a regular expression for this would not be. */
function withoutBlanksAtEnd(row) {
  let end = row.length;
  while (end > 0 && (row[end - 1] === " " || row[end - 1] === "\t")) end--;
  return row.slice(0, end);
}

function base64(bytes) {
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
}

/** The key in the text of a key file; a passphrase where it is protected. */
export async function readKeyFile(file, passphrase) {
  const wrong = (why) => fail("key-file", `this is no key file of hanji: ${why}`);
  const text = typeof file === "string" ? file
    : new TextDecoder("latin1").decode(copyOf(file, "the key file"));
  if (text.length > MAX_TEXT) wrong(`it is larger than ${MAX_TEXT >> 20} MiB`);
  if (!/^[\0-\x7f]*$/.test(text)) wrong("it holds bytes that are not ASCII text");
  const all = text.replaceAll("\r\n", "\n").split("\n").map(withoutBlanksAtEnd);
  const from = all.findIndex((row) => row !== "");
  if (from < 0) wrong("it is empty");
  const rows = all.slice(from, all.findLastIndex((row) => row !== "") + 1);
  const [first, last] = [`-----BEGIN ${LABEL}-----`, `-----END ${LABEL}-----`];
  if (rows[0] !== first) wrong(`its first line is not ${first}`);
  if (rows.at(-1) !== last) wrong(`its last line is not ${last}`);
  if (rows.slice(1, -1).some((row) => /^-----(BEGIN|END) [A-Z0-9 ]+-----$/.test(row))) {
    wrong("it holds more than one key");
  }
  const blank = rows.indexOf("");
  if (blank < 0) wrong("the empty line between its header and its body is missing");
  const fields = rows.slice(1, blank).map((row) => {
    const at = row.indexOf(": ");
    return at < 0 ? [row, ""] : [row.slice(0, at), row.slice(at + 2)];
  });
  const expected = fields.length === HEADS.length ? HEADS : HEADS_COMMENTED;
  if (fields.length !== expected.length || fields.some(([name], i) => name !== expected[i])) {
    wrong(`its header lines are not ${HEADS.join(", ")} in this order, with Comment before`
      + " Checksum where there is one");
  }
  const value = Object.fromEntries(fields);
  if (value.Version !== "1") wrong("it has another version; this reader knows 1");
  const body64 = rows.slice(blank + 1, -1).join("");
  let body;
  try {
    body = Uint8Array.from(atob(body64), (letter) => letter.charCodeAt(0));
  } catch {
    wrong("its body is not base64");
  }
  // `atob` also takes white space, no padding, and bits after the last byte that are not zero.
  if (base64(body) !== body64) wrong("its body is not base64 as hanji writes it");
  const heads = fields.slice(0, -1).map((field) => field.join(": "));
  const head = ascii([LABEL, ...heads].join("\n"), "the header");
  const sum = hash("esch256", concat(head, Uint8Array.of(10, 10), body)).subarray(0, 8);
  if (hex(sum) !== value.Checksum) wrong("its checksum is wrong: it is damaged");
  const key = value.Protection === "none"
    ? body : await unlock(value.Protection, head, body, passphrase, wrong);
  const why = unusable(value.Algorithm, key, value.Comment ?? "");
  if (why) wrong(why);
  if (hex(keyId(value.Algorithm, key)) !== value["Key-Id"]) {
    wrong("its key id is not the id of its key");
  }
  return { algorithm: value.Algorithm, key };
}

async function unlock(protection, head, body, passphrase, wrong) {
  const cost = /^argon2id t=(\d{1,4}) m=(\d{1,10}) p=(\d{1,4}) salt=([0-9a-f]{64})$/;
  const found = cost.exec(protection);
  if (!found) wrong("it has another protection; this reader knows none and argon2id");
  const [passes, memoryKib, lanes] = found.slice(1, 4).map(Number);
  checkCost({ passes, memoryKib, lanes });
  if (body.length < 32 + TAG) wrong(`its protected body has only ${body.length} bytes`);
  if (passphrase === undefined) {
    fail("passphrase-needed", "the key is protected; give a passphrase");
  }
  const salt = Uint8Array.from(found[4].match(/../g), (two) => parseInt(two, 16));
  const text = encoded(passphrase);
  const stretched = await stretch(text, salt, { passes, memoryKib, lanes });
  text.fill(0);
  const made = expand("hanji key protection v1", [stretched, head], 48);
  stretched.fill(0);
  if (!equal(made.subarray(16), body.subarray(0, 32))) {
    fail("wrong-passphrase", "the passphrase is wrong");
  }
  const aead = new Aead("schwaemm256-128", made.subarray(0, 16));
  made.fill(0);
  try {
    return aead.decrypt(new Uint8Array(32), body.subarray(32), head);
  } catch (error) {
    if (error instanceof InvalidTag) wrong("its protected body was altered");
    throw error;
  } finally {
    aead.wipe();
  }
}

/** The text of a key file without protection, as `hanji keygen` writes it. */
export function writeKeyFile(algorithm, key, comment = "") {
  const material = copyOf(key, "the key");
  const why = unusable(algorithm, material, comment);
  if (why) throw new RangeError(`this key file cannot be written: ${why}`);
  const heads = ["Version: 1", `Algorithm: ${algorithm}`,
    `Key-Id: ${hex(keyId(algorithm, material))}`, "Protection: none",
    ...(comment ? [`Comment: ${comment}`] : [])];
  const head = ascii([LABEL, ...heads].join("\n"), "the header");
  const sum = hash("esch256", concat(head, Uint8Array.of(10, 10), material)).subarray(0, 8);
  const body = base64(material).match(/.{1,64}/g) ?? [];
  material.fill(0);
  const rows = [`-----BEGIN ${LABEL}-----`, ...heads, `Checksum: ${hex(sum)}`, "", ...body];
  return [...rows, `-----END ${LABEL}-----`, ""].join("\n");
}
