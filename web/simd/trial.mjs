// SPDX-License-Identifier: Apache-2.0
// Compares the kernels of trial.c, in words and in vectors: results first, then speeds.
// Usage: node trial.mjs MODULE ROUNDS [PACKAGE]
import { readFileSync } from "node:fs";

const [module, rounds] = [process.argv[2], Number(process.argv[3])];
const c = new WebAssembly.Instance(new WebAssembly.Module(readFileSync(module)), {}).exports;
const AT = 65536 * 4;
c.memory.grow(8);
const words = (bytes) => new Uint32Array(c.memory.buffer, AT, bytes / 4);
const KEYS = AT + 4096;
for (let i = 0; i < 27; i++) new Uint32Array(c.memory.buffer, KEYS, 27)[i] = i * 2654435761;

// Words of a state, bytes of a word, states of a vector, and where word j of state s lies.
const apart = (lanes, wide) => (j, s) => (j * lanes + s) * wide;
const trials = [
  ["Ascon, two states", "ascon_words", "ascon_two", 5, 8, 2, apart(2, 2)],
  ["SPARKLE384, one state", "sparkle_words", "sparkle_one", 12, 4, 1,
    (j) => Math.floor(j / 3) * 4 + (j % 3)],
  ["SPARKLE384, four states", "sparkle_words", "sparkle_four", 12, 4, 4, apart(4, 1)],
  ["SPECK-64/128, four counters", "speck_words", "speck_four", 2, 4, 4, apart(4, 1)],
];
const call = (name, times) =>
  name.startsWith("speck") ? c[name](AT, KEYS, times) : c[name](AT, times);

// A state of 32-bit words, from a number.
function start(name, count, wide, s) {
  const given = new Uint32Array((count * wide) / 4);
  for (let i = 0; i < given.length; i++) given[i] = (i + 1 + 100 * s) * 2246822519;
  // Lanes count on from one another.
  if (name.startsWith("speck")) given.set([7 + s, 0x01020304]);
  return given;
}

for (const [title, plain, vector, count, wide, states, place] of trials) {
  const inWord = wide / 4;
  const expected = [];
  for (let s = 0; s < states; s++) {
    const given = start(plain, count, wide, s);
    words(given.byteLength).set(given);
    call(plain, 1);
    expected.push(words(given.byteLength).slice());
  }
  const all = new Uint32Array(1024);
  const each = (visit) => {
    for (let s = 0; s < states; s++)
      for (let j = 0; j < count; j++)
        for (let k = 0; k < inWord; k++) visit(s, j * inWord + k, place(j, s) + k);
  };
  const given = expected.map((_, s) => start(plain, count, wide, s));
  each((s, from, to) => (all[to] = given[s][from]));
  words(4096).set(all);
  call(vector, 1);
  const found = words(4096).slice();
  each((s, from, to) => {
    if (found[to] !== expected[s][from]) throw new Error(`${title}: word ${from} of state ${s}`);
  });

  const best = { plain: Infinity, vector: Infinity };
  for (let round = 0; round < rounds; round++) {
    for (const [kind, name] of [["plain", plain], ["vector", vector]]) {
      const before = process.hrtime.bigint();
      call(name, 400);
      best[kind] = Math.min(best[kind], Number(process.hrtime.bigint() - before));
    }
  }
  console.log(`${title}: ${((best.plain * states) / best.vector).toFixed(2)}`);
}

// The part of sealing a file that is spent in calls that encrypt.
if (process.argv[4]) {
  let spent = 0n;
  const Instance = WebAssembly.Instance;
  const watched = (call) => (...given) => {
    const before = process.hrtime.bigint();
    const code = call(...given);
    spent += process.hrtime.bigint() - before;
    return code;
  };
  WebAssembly.Instance = function (...given) {
    const all = Object.entries(new Instance(...given).exports);
    const exports = all.map(([name, it]) => [name, name.endsWith("_encrypt") ? watched(it) : it]);
    return { exports: Object.fromEntries(exports) };
  };
  const { seal } = await import(`${process.argv[4]}/sealed.js`);
  const text = new Uint8Array(1 << 24);
  for (const algorithm of ["ascon-aead128", "schwaemm256-128"]) {
    spent = 0n;
    const before = process.hrtime.bigint();
    for (let i = 0; i < Math.max(1, rounds / 100); i++) {
      await seal(text, { algorithm, key: new Uint8Array(16) });
    }
    const part = Number(spent) / Number(process.hrtime.bigint() - before);
    console.log(`${algorithm}, of sealing a file: ${part.toFixed(2)}`);
  }
}
