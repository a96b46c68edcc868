// SPDX-License-Identifier: Apache-2.0
// What callers do wrong, and memory that others can write: wrong sizes and types, buffers that are
// used again, transferred, resized or shared, and streams that fail or are given up.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import vm from "node:vm";
import { load } from "./load.mjs";

const hanji = await load("hanji.js");
const sealed = await load("sealed.js");
const telemetry = await load("telemetry.js");
const { Aead, Hash, InvalidTag, aeadNames, equal, hash, hashNames } = hanji;
const { open, openStream, readKeyFile, seal, sealStream, writeKeyFile } = sealed;
const { FrameError, FrameOpener, epochKey, sealFrame } = telemetry;
const count = (n) => Uint8Array.from({ length: n }, (_, i) => i);
const hex = (bytes) => Buffer.from(bytes).toString("hex");
const [key, nonce, text] = [count(16), count(16), new TextEncoder().encode("23.5 C")];
const cheap = { passes: 1, memoryKib: 8, lanes: 1 };

/** What comes out of a stream while `write` feeds it. */
async function through(stream, write) {
  const [writer, out] = [stream.writable.getWriter(), []];
  const reading = (async () => { for await (const part of stream.readable) out.push(part); })();
  await write(writer);
  await writer.close();
  await reading;
  return new Uint8Array(Buffer.concat(out));
}

test("a buffer may be filled again as soon as its write has resolved", async () => {
  for (const [size, chunkSize] of [[1000, 4096], [4096, 4096], [5000, 4096], [1, 4096]]) {
    const buffer = new Uint8Array(size);
    const file = await through(sealStream({ key, chunkSize }), async (writer) => {
      for (let i = 1; i <= 9; i++) await writer.write(buffer.fill(i));
      buffer.fill(0xff);
    });
    const right = Uint8Array.from({ length: 9 * size }, (_, i) => 1 + Math.floor(i / size));
    assert.equal(hex(await open(file, { key })), hex(right), `pieces of ${size} bytes`);
    const part = new Uint8Array(size);
    const opened = await through(openStream({ key }), async (writer) => {
      for (let at = 0; at < file.length; at += size) {
        part.set(file.subarray(at, at + size));
        await writer.write(part.subarray(0, Math.min(size, file.length - at)));
        part.fill(0xff);
      }
    });
    assert.equal(hex(opened), hex(right), `sealed pieces of ${size} bytes`);
  }
});

test("several writes without waiting keep their order", async () => {
  for (const secret of [{ key }, { passphrase: "mulberry", argon2: cheap }]) {
    const file = await through(sealStream({ ...secret, chunkSize: 4096 }), (writer) => {
      for (let i = 0; i < 50; i++) writer.write(new Uint8Array(333).fill(i)); // all at once
    });
    const opened = await through(openStream(secret), (writer) => {
      for (let at = 0; at < file.length; at += 500) writer.write(file.subarray(at, at + 500));
    });
    assert.equal(opened.length, 50 * 333);
    assert.ok(opened.every((byte, i) => byte === Math.floor(i / 333)));
  }
});

test("the arguments' memory is not kept: keys, costs and results", async () => {
  for (const make of [(b) => Uint8Array.from(b), (b) => Buffer.from(b)]) {
    const mine = make(key);
    const aead = new Aead("ascon-aead128", mine);
    const before = aead.encrypt(nonce, text);
    mine.fill(0xff);
    assert.equal(hex(aead.encrypt(nonce, text)), hex(before), "Aead kept a view of its key");
    aead.wipe();
    assert.ok(mine.every((byte) => byte === 0xff), "wipe erased the caller's key");

    const [one, two] = [make(key), make(key)];
    const sealing = sealStream({ key: one });
    const opening = openStream({ key: two });
    one.fill(0);
    two.fill(0);
    const file = await through(sealing, (writer) => writer.write(text));
    assert.equal(hex(await through(opening, (writer) => writer.write(file))), hex(text));

    const data = make(text);
    const promise = seal(data, { key });
    data.fill(0);
    const made = make(await promise);
    const opened = open(made, { key });
    made.fill(0);
    assert.equal(hex(await opened), hex(text));

    const header = make(await seal(text, { key })).subarray(0, 128);
    const fields = sealed.readHeader(header);
    const was = hex(fields.salt);
    header.fill(0);
    assert.equal(hex(fields.salt), was, "readHeader gave a view of its argument");
  }
  const argon2 = { ...cheap };
  const stream = sealStream({ passphrase: "mulberry", argon2 });
  argon2.memoryKib = 1 << 30;
  const file = await through(stream, (writer) => writer.write(text));
  assert.equal(hex(await open(file, { passphrase: "mulberry" })), hex(text));
});

test("a value that a getter or a Proxy changes is read once", async () => {
  const changing = (values) => ({
    get: (target, name) => (name in values && values[name].length > 1
      ? values[name].shift() : values[name]?.[0] ?? target[name]),
  });
  const argon2 = new Proxy({}, changing({ passes: [1, 99], memoryKib: [8, 2 ** 30], lanes: [1] }));
  const made = await seal(text, { passphrase: "mulberry", argon2 });
  assert.deepEqual(sealed.readHeader(made.subarray(0, 128)).argon2, cheap);
  const options = new Proxy({}, changing({ key: [key, new Uint8Array(0)], chunkSize: [4096, 5] }));
  assert.equal(hex(await open(await seal(text, options), { key })), hex(text));
  let asked = 0;
  const name = { toString: () => (asked++ ? "__proto__" : "ascon-aead128") };
  assert.throws(() => new Aead(name, key), RangeError);
  assert.throws(() => Aead.generateKey(name), RangeError);
  assert.throws(() => new Hash({ toString: () => "esch256" }), RangeError);
  class Liar extends Uint8Array {
    get length() { return 3; }
    get byteLength() { return 3; }
    get buffer() { return new ArrayBuffer(99); }
    slice() { return this; }
    subarray() { return this; }
  }
  const liar = Liar.from(key);
  const right = new Aead("ascon-aead128", key).encrypt(nonce, key, key);
  assert.equal(hex(new Aead("ascon-aead128", liar).encrypt(nonce, liar, liar)), hex(right));
  assert.throws(() => new Aead("ascon-aead128", new Proxy(key, {})), TypeError);
});

test("shared memory: what is checked is what is used", () => {
  // A getter stands for another thread: it runs while the call is at work.
  const place = { algorithm: "ascon-aead128", device: 7, epoch: 1, number: 0 };
  const frame = sealFrame(key, place, text);
  const shared = new Uint8Array(new SharedArrayBuffer(frame.length));
  shared.set(frame);
  const opener = new FrameOpener((device) => {
    shared[2] = 9; // another device's number, after this one's key was looked up
    return device === 7 ? key : undefined;
  });
  const found = opener.open(shared);
  assert.deepEqual([found.device, hex(found.text)], [7, hex(text)]);
  found.text.fill(0);
  assert.equal(frame.length, shared.length);
});

test("buffers of every kind", async () => {
  const aead = new Aead("ascon-aead128", key);
  const right = hex(aead.encrypt(nonce, text));
  const at = (buffer) => new Uint8Array(buffer, 3, 6);
  const copied = (buffer) => { at(buffer).set(text); return buffer; };
  const other = vm.runInNewContext(
    "({ bytes: new Uint8Array(6), buffer: new ArrayBuffer(6), view: new DataView(new"
    + " ArrayBuffer(9), 2, 6), shared: new SharedArrayBuffer(6) })");
  other.bytes.set(text);
  new Uint8Array(other.buffer).set(text);
  new Uint8Array(other.view.buffer, 2).set(text);
  new Uint8Array(other.shared).set(text);
  const rows = {
    "Uint8Array in the middle": at(copied(new ArrayBuffer(20))),
    "DataView with an offset": new DataView(copied(new ArrayBuffer(20)), 3, 6),
    "Uint16Array": new Uint16Array(text.slice().buffer),
    "ArrayBuffer": text.slice().buffer,
    "Buffer of the pool": Buffer.from(text),
    "shared": at(copied(new SharedArrayBuffer(20))),
    "resizable": at(copied(new ArrayBuffer(20, { maxByteLength: 40 }))),
    "growable and shared": at(copied(new SharedArrayBuffer(20, { maxByteLength: 40 }))),
    ...Object.fromEntries(Object.entries(other).map(([k, v]) => [`another realm's ${k}`, v])),
  };
  for (const [name, value] of Object.entries(rows)) {
    const made = aead.encrypt(nonce, value);
    assert.equal(hex(made), right, name);
    assert.ok(made.buffer instanceof ArrayBuffer && made.length === made.buffer.byteLength, name);
    assert.equal(hex(await open(await seal(value, { key }), { key })), hex(text), name);
    assert.equal(hex(hash("esch256", value)), hex(hash("esch256", text)), name);
    assert.ok(equal(value, text), name);
    assert.equal(hanji.toBytes(value, "it").constructor, Uint8Array, name);
  }
  const tracking = new ArrayBuffer(6, { maxByteLength: 40 });
  const growing = new Uint8Array(tracking);
  growing.set(text);
  assert.equal(hex(aead.encrypt(nonce, growing)), right);
  tracking.resize(2);
  assert.equal(aead.encrypt(nonce, growing).length, 18); // it tracks the length of its buffer
});

test("a buffer that was transferred or became too short is not taken as empty", async () => {
  const gone = () => {
    const array = new Uint8Array(16);
    structuredClone(array, { transfer: [array.buffer] });
    return array;
  };
  const short = (view) => {
    const buffer = new ArrayBuffer(32, { maxByteLength: 64 });
    const made = new view(buffer, 16, 16);
    buffer.resize(20);
    return made;
  };
  const aead = new Aead("ascon-aead128", key);
  for (const array of [gone(), gone().buffer, short(Uint8Array), short(DataView)]) {
    for (const call of [
      () => aead.encrypt(nonce, array), () => aead.encrypt(nonce, text, array),
      () => aead.encrypt(array, text), () => aead.decrypt(nonce, array),
      () => new Aead("ascon-aead128", array), () => hash("esch256", array),
      () => equal(array, new Uint8Array(0)), () => sealed.readHeader(array),
      () => sealed.keyId("ascon-aead128", array), () => writeKeyFile("ascon-aead128", array),
      () => sealStream({ key: array }), () => openStream({ key: array }),
      () => epochKey(array, "ascon-aead128", 1, 1), () => new FrameOpener(() => key).open(array),
    ]) {
      assert.throws(call, /was transferred, or is now shorter/, String(call));
    }
    await assert.rejects(seal(array, { key }), TypeError);
    await assert.rejects(open(array, { key }), TypeError);
    const stream = sealStream({ key });
    stream.readable.cancel().catch(() => {});
    await assert.rejects(stream.writable.getWriter().write(array));
  }
});

test("wrong types and sizes have errors that name them", async () => {
  const aead = new Aead("ascon-aead128", key);
  for (const bad of ["text", [1, 2], undefined, null, 5, 5n, {}, { length: 3 }, new Blob(["x"]),
    Symbol("x"), () => 1]) {
    assert.throws(() => aead.encrypt(nonce, bad), { name: "TypeError", message: /the plaintext/ });
    assert.throws(() => new Aead("ascon-aead128", bad), { message: /the key of ascon-aead128/ });
    assert.throws(() => epochKey(bad, "ascon-aead128", 1, 1), { message: /the master key/ });
    await assert.rejects(seal(bad, { key }), TypeError);
    if (typeof bad === "string") continue;
    await assert.rejects(readKeyFile(bad), TypeError);
    if (bad !== undefined) {
      await assert.rejects(seal(text, { passphrase: bad, argon2: cheap }), TypeError);
      await assert.rejects(open(text, { passphrase: bad }), TypeError);
    }
  }
  for (const bad of [-1, 1.5, NaN, Infinity, "8", [1, 2], { length: 2 }, 8n, undefined, null]) {
    assert.throws(() => hanji.randomBytes(bad), RangeError, String(bad));
    if (bad !== undefined) {
      assert.throws(() => hash("ascon-xof128", text, bad), RangeError, String(bad));
      assert.throws(() => sealStream({ key, chunkSize: bad }), RangeError, String(bad));
      const argon2 = { ...cheap, lanes: bad };
      assert.throws(() => sealStream({ passphrase: "x", argon2 }), { code: "parameter" });
    }
    for (const [epoch, device] of [[bad, 1], [1, bad]]) {
      assert.throws(() => epochKey(key, "ascon-aead128", epoch, device), RangeError);
    }
    const place = { algorithm: "ascon-aead128", device: 1, epoch: 1, number: 1 };
    for (const name of ["device", "epoch", "number"]) {
      assert.throws(() => sealFrame(key, { ...place, [name]: bad }, text), RangeError);
    }
  }
  for (const epoch of [0, 2 ** 32 - 1]) { // no device has them
    assert.throws(() => sealFrame(
      key, { algorithm: "ascon-aead128", device: 1, epoch, number: 1 }, text), /the epoch/);
  }
  for (const chunkSize of ["65536", 65536n, [65536], 2048, 2 ** 25, 65537]) {
    assert.throws(() => sealStream({ key, chunkSize }), RangeError);
  }
  for (const size of [0, 15, 17, 32]) {
    for (const make of [sealStream, openStream]) {
      assert.throws(() => make({ key: count(size) }), /the key: expected 16 bytes/);
    }
  }
  assert.throws(() => hash("ascon-xof128", text, 2 ** 40), RangeError);
  assert.throws(() => hanji.little(256, 1), /does not fit/);
  assert.throws(() => hanji.little(-1, 8), RangeError);
  assert.throws(() => hanji.little(-1n, 8), RangeError);
  assert.throws(() => hanji.little(2n ** 64n, 8), RangeError);
  assert.equal(hex(hanji.little(2n ** 64n - 1n, 8)), "ff".repeat(8));
  assert.throws(() => hanji.expand("\u00e9", [], 8), TypeError);
  assert.throws(() => new FrameOpener(new Map([[7, key]])), /expected a function/);
});

test("tables have no rows but their own", () => {
  for (const name of ["toString", "__proto__", "constructor", "hasOwnProperty", "valueOf", ""]) {
    assert.throws(() => new Aead(name, key), /there is no/);
    assert.throws(() => Aead.generateKey(name), /there is no/);
    assert.throws(() => new Hash(name), /there is no/);
    assert.throws(() => hash(name, text), /there is no/);
    assert.throws(() => epochKey(key, name, 1, 1), /there is no/);
    assert.throws(
      () => sealFrame(key, { algorithm: name, device: 1, epoch: 1, number: 1 }, text), /no/);
    assert.throws(() => sealStream({ key, algorithm: name }), RangeError);
  }
  const secret = "00112233445566778899aabbccddeeff";
  for (const call of [() => new Aead(secret, key), () => new Hash(secret),
    () => Aead.generateKey(secret), () => sealStream({ key, algorithm: secret })]) {
    assert.throws(call, (error) => !error.message.includes(secret));
  }
});

test("what decides checks cannot be written", () => {
  const aead = new Aead("ascon-aead128", key);
  for (const [name, value] of [["nonceBytes", 12], ["tagBytes", 4], ["algorithm", "esch256"]]) {
    assert.throws(() => { aead[name] = value; }, TypeError);
    Object.defineProperty(aead, name, { value }); // a property that only looks like it
  }
  assert.throws(() => aead.encrypt(nonce.subarray(4), text), RangeError);
  assert.throws(() => aead.decrypt(nonce, new Uint8Array(12)), InvalidTag);
  const right = new Aead("ascon-aead128", key).encrypt(nonce, text);
  assert.equal(hex(aead.encrypt(nonce, text)), hex(right));
  assert.equal(hex(aead.decrypt(nonce, right)), hex(text));
  assert.throws(() => { new Hash("esch256").algorithm = "esch384"; }, TypeError);
  for (const names of [aeadNames, hashNames, sealed.codes]) assert.ok(Object.isFrozen(names));
  assert.ok(!JSON.stringify([aead, new Hash("esch256"), new FrameOpener(() => key)]).includes("0"));
});

test("more than a call takes is refused with its limit", () => {
  const aead = new Aead("ascon-aead128", key);
  const big = new Uint8Array(hanji.maxMessageBytes + 1); // zeros that are never touched
  assert.equal(hanji.maxMessageBytes, 2 ** 30);
  const named = { name: "RangeError", message: /at most 10737418(24|40) bytes \(maxMessageBytes/ };
  assert.throws(() => aead.encrypt(nonce, big), named);
  assert.throws(() => aead.encrypt(nonce, text, big), named);
  assert.throws(() => aead.decrypt(nonce, text, big), named);
  const bigger = new Uint8Array(hanji.maxMessageBytes + 17);
  assert.throws(() => aead.decrypt(nonce, bigger), named);
  const speck = new Aead("speck-64/128-eax", key);
  const long = { name: "RangeError", message: /longer than a key of this cipher may process/ };
  assert.throws(() => speck.encrypt(count(8), new Uint8Array(4 << 20)), long);
});

test("long inputs go through in windows", () => {
  const long = new Uint8Array((3 << 20) + 5).map((_, i) => i * 7);
  for (const name of hashNames) {
    const pieces = new Hash(name);
    for (let at = 0; at < long.length; at += 999999) pieces.update(long.subarray(at, at + 999999));
    assert.equal(hex(pieces.digest()), hex(hash(name, long)), name);
  }
  const squeezed = hash("xoesch256", text, (1 << 20) + 77);
  assert.equal(hex(squeezed.subarray(0, 64)), hex(hash("xoesch256", text, 64)));
  assert.ok(squeezed.subarray(1 << 20).some((byte) => byte !== 0));
  const other = long.slice();
  assert.ok(equal(long, other));
  other[long.length - 1] ^= 1;
  assert.ok(!equal(long, other));
});

test("master keys have 16 to 64 bytes", () => {
  const place = { algorithm: "ascon-aead128", device: 7, epoch: 1, number: 0 };
  for (const size of [0, 1, 15, 65, 1000]) {
    const named = { name: "RangeError", message: /the master key: expected 16 to 64 bytes; / };
    assert.throws(() => epochKey(new Uint8Array(size), "ascon-aead128", 1, 7), named);
    assert.throws(() => sealFrame(new Uint8Array(size), place, text), named);
    const frame = sealFrame(key, place, text);
    assert.throws(() => new FrameOpener(() => new Uint8Array(size)).open(frame), named);
  }
  for (const size of [16, 17, 64]) {
    const frame = sealFrame(count(size), place, text);
    assert.equal(hex(new FrameOpener(() => count(size)).open(frame).text), hex(text));
  }
  const frame = sealFrame(key, place, text);
  assert.throws(() => new FrameOpener(async () => key).open(frame), /the master key/);
});

test("a call from within the function for master keys", () => {
  const frames = [0, 1].map((number) => sealFrame(
    key, { algorithm: "ascon-aead128", device: 7, epoch: 1, number }, text));
  let inside = false;
  const opener = new FrameOpener(() => {
    if (!inside) {
      inside = true;
      assert.equal(hex(opener.open(frames[1]).text), hex(text));
    }
    return key;
  });
  assert.throws(() => opener.open(frames[0]), /sent twice, or is replayed/);
  assert.throws(() => opener.open(frames[1]), FrameError);
});

test("passphrases that are no text are refused", async () => {
  const file = await seal(text, { passphrase: "mulberry", argon2: cheap });
  for (const passphrase of ["a\ud800", "\udc00", "\udc00\ud800", "\ud83d"]) {
    const named = { name: "RangeError", message: /half of a surrogate pair/ };
    assert.throws(() => sealStream({ passphrase, argon2: cheap }), named);
    assert.throws(() => openStream({ passphrase }), named);
    await assert.rejects(seal(text, { passphrase, argon2: cheap }), named);
    await assert.rejects(open(file, { passphrase }), named);
  }
  const face = "\ud83d\ude00";
  const made = await seal(text, { passphrase: face, argon2: cheap });
  assert.equal(hex(await open(made, { passphrase: face })), hex(text));
  const needed = { code: "passphrase-needed" };
  await assert.rejects(seal(text, { passphrase: "", argon2: cheap }), needed);
  await assert.rejects(open(file, { passphrase: "" }), needed);
});

test("nothing that was not verified comes out of a stream that fails", async () => {
  const plain = count(5 * 4096);
  const file = await seal(plain, { key, chunkSize: 4096 });
  for (const damaged of [2, 4]) {
    const copy = file.slice();
    copy[128 + damaged * (4096 + 32) + 100] ^= 1;
    for (const size of [1000, file.length]) {
      const [stream, out] = [openStream({ key }), []];
      const reader = stream.readable.getReader();
      const reading = (async () => {
        for (;;) {
          const { done, value } = await reader.read();
          if (done) return;
          out.push(value);
        }
      })();
      const writer = stream.writable.getWriter();
      const failed = { code: "altered", message: `chunk ${damaged} was altered` };
      await assert.rejects(async () => {
        for (let at = 0; at < copy.length; at += size) {
          await writer.write(copy.subarray(at, at + size));
        }
        await writer.close();
      }, failed);
      await assert.rejects(reading, failed);
      const given = Buffer.concat(out);
      assert.ok(given.length <= damaged * 4096);
      assert.equal(hex(given), hex(plain.subarray(0, given.length)));
      await assert.rejects(writer.write(copy), failed); // and it stays closed
    }
  }
});

test("a stream that one side gives up ends on the other side, too", async () => {
  const file = await seal(count(9000), { key, chunkSize: 4096 });
  for (const make of [() => sealStream({ key }), () => openStream({ key })]) {
    const aborted = make();
    const writer = aborted.writable.getWriter();
    writer.write(file).catch(() => {});
    await writer.abort(new Error("enough"));
    await assert.rejects(aborted.readable.getReader().read(), /enough/);

    const cancelled = make();
    const other = cancelled.writable.getWriter();
    const writing = other.write(file).catch(() => {});
    await cancelled.readable.cancel(new Error("no more"));
    await writing;
    await assert.rejects(other.write(file));
  }
});

test("a stream waits for its reader", async () => {
  const stream = sealStream({ key, chunkSize: 4096 });
  const writer = stream.writable.getWriter();
  let written = 0;
  const writing = (async () => {
    for (; written < 100; written++) await writer.write(count(4096));
    await writer.close();
  })();
  for (let i = 0; i < 50; i++) await new Promise((done) => setImmediate(done));
  assert.ok(written < 3, `${written} pieces were sealed without a reader`);
  const parts = [];
  for await (const part of stream.readable) parts.push(part);
  await writing;
  assert.equal((await open(Buffer.concat(parts), { key })).length, 100 * 4096);
});

test("key files are read as strictly as Python reads them", async () => {
  const file = process.env.HANJI_KEY_FILES;
  if (!file) return; // tests/ship/test_ship_web.py gives it
  const rows = JSON.parse(readFileSync(file, "utf8"));
  assert.ok(rows.length > 300 && rows.some((row) => row.key) && rows.some((row) => !row.key));
  for (const { what, bytes, key: wanted } of rows) {
    const raw = Buffer.from(bytes, "base64");
    for (const form of raw.every((byte) => byte < 128) ? [raw, raw.toString("latin1")] : [raw]) {
      let found = null;
      try {
        const made = await readKeyFile(form, "mulberry");
        found = `${made.algorithm} ${hex(made.key)}`;
      } catch (error) {
        assert.ok(error instanceof sealed.SealedFileError, `${what}: ${error.stack}`);
      }
      assert.equal(found, wanted, `${what}:\n${raw.toString("latin1").slice(0, 400)}`);
    }
  }
});

test("key files are written as they are read", async () => {
  for (const [name, size] of [["ascon-aead128", 16], ["schwaemm192-192", 24], ["other", 100]]) {
    const made = writeKeyFile(name, count(size), "of a test");
    assert.ok(made.split("\n").every((row) => row.length <= 64), made);
    assert.deepEqual(await readKeyFile(made), { algorithm: name, key: count(size) });
  }
  for (const [name, size, comment] of [
    ["ascon-aead128", 15, ""], ["ascon-aead128", 0, ""], ["ASCON", 16, ""], ["a\nb", 16, ""],
    ["ascon-aead128", 16, " x"], ["ascon-aead128", 16, "x\ny"], ["ascon-aead128", 16, "\u00e9"],
    ["ascon-aead128", 16, "x".repeat(201)], ["ascon-aead128", 16, null], [7, 16, ""],
  ]) {
    assert.throws(() => writeKeyFile(name, count(size), comment), RangeError);
  }
  const began = process.cpuUsage().user;
  const many = 1 << 20;
  for (const hostile of [" ".repeat(many) + "x", "\n".repeat(many), "\t \n".repeat(many)]) {
    await assert.rejects(readKeyFile(hostile), { code: "key-file" });
  }
  assert.ok(process.cpuUsage().user - began < 20e6, "the time is not linear in the size");
  await assert.rejects(readKeyFile("x".repeat((16 << 20) + 1)), /larger than 16 MiB/);
});
