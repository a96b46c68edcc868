// SPDX-License-Identifier: Apache-2.0
// node --test: the package of build/web/package, or of HANJI_PACKAGE.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { gunzipSync } from "node:zlib";
import { load, root } from "./load.mjs";

const { Aead, Hash, InvalidTag, aeadNames, equal, expand, hash, hashNames, randomBytes } =
  await load("hanji.js");
const sealed = await load("sealed.js");
const { FrameError, FrameOpener, epochKey, sealFrame } = await load("telemetry.js");
const hex = (bytes) => Buffer.from(bytes).toString("hex");
const bytes = (text) => new Uint8Array(Buffer.from(text.replace(/\s/g, ""), "hex"));
const count = (n) => Uint8Array.from({ length: n }, (_, i) => i);
const key = count(16);
const code = (wanted) => (error) => {
  assert.ok(error instanceof sealed.SealedFileError, `${error.name}: ${error.message}`);
  assert.equal(error.code, wanted, error.message);
  return true;
};

/** What docs/format.md prints in a block of this name. */
function example(name) {
  const text = readFileSync(new URL("docs/format.md", root), "utf8");
  const block = new RegExp(`\`\`\`${name}\n([^\`]*)\`\`\``).exec(text)[1];
  return name.startsWith("sealed")
    ? bytes(block.split("\n").map((row) => row.slice(6)).join("")) : block;
}

test("every vector of the repository", () => {
  const file = process.env.HANJI_VECTORS;
  if (!file) return; // tests/ship/test_ship_web.py gives it
  const rows = JSON.parse(readFileSync(file, "utf8"));
  assert.ok(rows.length > 300);
  for (const row of rows) {
    const at = JSON.stringify(row).slice(0, 300);
    if (row.digest !== undefined) {
      assert.equal(hex(hash(row.name, bytes(row.msg), row.digest.length / 2)), row.digest, at);
      continue;
    }
    const aead = new Aead(row.name, bytes(row.key));
    if (row.invalid) {
      const opens = () => aead.decrypt(bytes(row.nonce), bytes(row.sealed), bytes(row.aad));
      assert.throws(opens, InvalidTag, at);
      continue;
    }
    const made = aead.encrypt(bytes(row.nonce), bytes(row.pt), bytes(row.aad));
    assert.equal(hex(made), row.sealed, at);
    assert.equal(hex(aead.decrypt(bytes(row.nonce), made, bytes(row.aad))), row.pt, at);
    made[made.length - 1] ^= 1;
    assert.throws(() => aead.decrypt(bytes(row.nonce), made, bytes(row.aad)), InvalidTag, at);
  }
});

test("hashes in pieces, and a context for each", () => {
  for (const name of hashNames) {
    const [a, b] = [new Hash(name), new Hash(name)];
    for (let i = 0; i < 1000; i += 37) {
      a.update(count(1000).subarray(i, i + 37));
      b.update(key);
    }
    assert.equal(hex(a.digest()), hex(hash(name, count(1000))), name);
    assert.throws(() => a.update(key), /has been taken/);
  }
  assert.throws(() => new Hash("sha256"), /there is no sha256/);
  assert.throws(() => hash("esch256", key, 31), /has 32 bytes, not 31/);
});

test("wrong sizes and erased keys are refused", () => {
  for (const name of aeadNames) {
    const aead = new Aead(name, Aead.generateKey(name));
    assert.throws(() => aead.encrypt(new Uint8Array(5), key), RangeError);
    assert.throws(() => aead.encrypt("nonce", key), TypeError);
    const nonce = new Uint8Array(aead.nonceBytes);
    assert.throws(() => aead.decrypt(nonce, new Uint8Array(3)), InvalidTag);
    aead.wipe();
    assert.throws(() => aead.encrypt(new Uint8Array(aead.nonceBytes), key), /was erased/);
  }
  assert.ok(equal(key, count(16)) && !equal(key, count(15)) && !equal(key, count(17).subarray(1)));
  assert.equal(randomBytes(70000).length, 70000);
});

test("the examples of docs/format.md open", async () => {
  for (const name of ["sealed-key", "sealed-ascon"]) {
    assert.equal(Buffer.from(await sealed.open(example(name), { key })).toString(), "hanji\n");
  }
  const empty = await sealed.open(example("sealed-passphrase"), { passphrase: "mulberry" });
  assert.equal(empty.length, 0);
  await assert.rejects(
    sealed.open(example("sealed-passphrase"), { passphrase: "Mulberry" }),
    code("wrong-passphrase"));
  const shared = await sealed.open(example("sealed-shared"), { passphrase: "mulberry" });
  assert.equal(Buffer.from(shared).toString(), "hanji\n");
  for (const name of ["key-plain", "key-protected"]) {
    const found = await sealed.readKeyFile(example(name), "mulberry");
    assert.deepEqual([hex(found.key), found.algorithm], [hex(key), "schwaemm256-128"]);
  }
  assert.equal(sealed.writeKeyFile("schwaemm256-128", key, "worked example"), example("key-plain"));
  await assert.rejects(sealed.readKeyFile(example("key-protected"), "x"), code("wrong-passphrase"));
  await assert.rejects(sealed.readKeyFile(example("key-protected")), code("passphrase-needed"));
  const damaged = example("key-plain").replace("AAECAw", "AAECBw");
  await assert.rejects(sealed.readKeyFile(damaged), code("key-file"));
});

test("files of a run that stretched its passphrase once", async () => {
  const file = new URL("tests/vectors/sealed/shared.json.gz", root);
  const { tests } = JSON.parse(gunzipSync(readFileSync(file)).toString());
  assert.ok(tests.length === 49 && tests.filter((row) => row.pt !== undefined).length === 11);
  const codes = { header: "damaged-header", passphrase: "wrong-passphrase" };
  for (const row of tests) {
    const opening = sealed.open(bytes(row.file), { passphrase: row.passphrase });
    if (row.report === undefined) {
      assert.equal(hex(await opening), row.pt, row.comment);
      continue;
    }
    const wanted = codes[row.report] ?? row.report;
    assert.ok(sealed.codes.includes(wanted), wanted);
    await assert.rejects(opening, (error) => error.code === wanted, row.comment);
  }
});

test("the header of such a file, and what opens it", async () => {
  const file = example("sealed-shared");
  const fields = sealed.readHeader(file.subarray(0, 128));
  assert.equal(fields.keySource, "shared-passphrase");
  assert.deepEqual(fields.argon2, { passes: 1, memoryKib: 64, lanes: 1 });
  assert.equal(hex(fields.salt), hex(file.subarray(32, 64)));
  assert.equal(hex(fields.keyId), "00".repeat(8));
  const wrong = async (options, wanted) => assert.rejects(sealed.open(file, options), code(wanted));
  await wrong({ key }, "passphrase-needed");
  await wrong({ passphrase: "" }, "passphrase-needed");
  await wrong({ passphrase: "Mulberry" }, "wrong-passphrase");
  await wrong({ key, passphrase: "mulberr" }, "wrong-passphrase");
  for (const at of [32, 47, 48, 63]) { // both ends of both halves of the salt
    const other = file.slice();
    other[at] ^= 1;
    await assert.rejects(sealed.open(other, { passphrase: "mulberry" }), code("damaged-header"));
    other.set(hash("esch256", other.subarray(0, 96)), 96);
    await assert.rejects(sealed.open(other, { passphrase: "mulberry" }), code("wrong-passphrase"));
  }
  const greedy = file.slice();
  greedy[19] = 0x7f; // about 32 GiB, of which nothing is allocated
  greedy.set(hash("esch256", greedy.subarray(0, 96)), 96);
  await assert.rejects(sealed.open(greedy, { passphrase: "mulberry" }), code("parameter"));
});

test("what is sealed opens, around the sizes of chunks", async () => {
  for (const algorithm of ["ascon-aead128", "schwaemm256-128"]) {
    for (const size of [0, 1, 4095, 4096, 4097, 8192, 12289]) {
      const text = randomBytes(size);
      const file = await sealed.seal(text, { key, algorithm, chunkSize: 4096 });
      assert.equal(file.length, 128 + size + 32 * Math.max(1, Math.ceil(size / 4096)));
      assert.equal(hex(await sealed.open(file, { key })), hex(text), `${algorithm}, ${size}`);
    }
  }
});

test("bytes that come one by one", async () => {
  const text = randomBytes(5000);
  const file = await sealed.seal(text, { key, chunkSize: 4096 });
  const source = new ReadableStream({
    start(controller) {
      for (const byte of file) controller.enqueue(Uint8Array.of(byte));
      controller.close();
    },
  });
  const opened = await new Response(source.pipeThrough(sealed.openStream({ key }))).arrayBuffer();
  assert.equal(hex(new Uint8Array(opened)), hex(text));
});

test("every kind of damage has its report", async () => {
  const text = randomBytes(3 * 4096 + 5);
  const file = await sealed.seal(text, { key, chunkSize: 4096 });
  const [head, chunk] = [128, 4096 + 32];
  const chunks = [0, 1, 2].map((i) => file.subarray(head + i * chunk, head + (i + 1) * chunk));
  const last = file.subarray(head + 3 * chunk);
  const join = (...parts) => new Uint8Array(Buffer.concat([file.subarray(0, head), ...parts]));
  const flip = (at) => { const copy = file.slice(); copy[at] ^= 1; return copy; };
  const rows = [
    ["empty", new Uint8Array(0)],
    ["foreign", flip(0)],
    ["version", flip(8)],
    ["damaged-header", flip(40)],
    ["truncated", file.subarray(0, 100)],
    ["truncated", file.subarray(0, head)],
    ["truncated", file.subarray(0, head + chunk)],
    ["truncated", file.subarray(0, file.length - 1)],
    ["altered", flip(head + 30)],
    ["altered", flip(head + 8)],
    ["altered", flip(head + 12)],
    ["altered", flip(file.length - 1)],
    ["duplicated", join(chunks[0], chunks[0], chunks[1], chunks[2], last)],
    ["reordered", join(chunks[1], chunks[0], chunks[2], last)],
    ["reordered", join(chunks[0], chunks[2], last)],
    ["appended", join(...chunks, last, Uint8Array.of(0))],
  ];
  for (const [wanted, damaged] of rows) {
    await assert.rejects(sealed.open(damaged, { key }), code(wanted));
  }
  await assert.rejects(sealed.open(file, { key: count(17).subarray(1) }), code("wrong-key"));
  await assert.rejects(sealed.open(file, { passphrase: "x" }), code("key-needed"));
});

test("a header of a stranger cannot ask for all memory", async () => {
  const argon2 = { passes: 1, memoryKib: 64, lanes: 1 };
  const file = await sealed.seal(key, { passphrase: "p\u0061\u0308per", argon2 });
  const opened = await sealed.open(file, { passphrase: "p\u00e4per" }); // normalization form C
  assert.equal(hex(opened), hex(key));
  await assert.rejects(sealed.open(file, { key }), code("passphrase-needed"));
  const greedy = file.slice();
  greedy[19] = 0x7f;
  greedy.set(hash("esch256", greedy.subarray(0, 96)), 96);
  await assert.rejects(sealed.open(greedy, { passphrase: "x" }), code("parameter"));
  assert.throws(
    () => sealed.sealStream({ passphrase: "x", argon2: { ...argon2, passes: 0 } }),
    code("parameter"));
  assert.throws(() => sealed.sealStream({ key, chunkSize: 5000 }), /a power of two/);
  assert.throws(() => sealed.sealStream({ key, algorithm: "esch256" }), /not esch256/);
  assert.throws(() => sealed.sealStream({}), /either a key or a passphrase/);
});

test("telemetry frames", () => {
  const rows = JSON.parse(process.env.HANJI_EPOCHS ?? "[]");
  for (const row of rows) {
    const made = epochKey(bytes(row.master), row.algorithm, row.epoch, row.device);
    assert.equal(hex(made), row.key, JSON.stringify(row));
  }
  const opener = new FrameOpener((device) => (device === 7 ? key : undefined));
  const place = { device: 7, epoch: 3, number: 0 };
  for (const algorithm of ["schwaemm256-128", "speck-64/128-eax", "ascon-aead128"]) {
    const frame = sealFrame(key, { ...place, algorithm }, new TextEncoder().encode("23.5 C"));
    const altered = frame.slice();
    altered[16] ^= 1;
    assert.throws(() => opener.open(altered), /was altered/);
    const found = opener.open(frame);
    assert.equal(Buffer.from(found.text).toString(), "23.5 C");
    assert.throws(() => opener.open(frame), /sent twice, or is replayed/);
    assert.throws(() => opener.open(frame.subarray(0, 20)), FrameError);
    place.number++;
  }
  const stranger = sealFrame(key, { ...place, device: 8, algorithm: "schwaemm256-128" }, key);
  assert.throws(() => opener.open(stranger), /device 8 is not known/);
  assert.equal(expand("label", [key], 5).length, 5);
});
