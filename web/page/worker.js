// SPDX-License-Identifier: Apache-2.0
// Seals or opens one file, away from the page: nothing is given out before it is whole.
import { openStream, readKeyFile, sealStream } from "./sealed.js";

const PART = 8 << 20; // bytes that are kept as one part of the result

self.onmessage = async ({ data }) => {
  const { file, direction, passphrase, keyText, algorithm } = data;
  try {
    const secret = {};
    if (keyText === undefined) {
      secret.passphrase = passphrase;
    } else {
      const found = await readKeyFile(keyText, passphrase);
      secret.key = found.key;
      secret.algorithm = found.algorithm;
    }
    const stream = direction === "seal"
      ? sealStream({ algorithm, ...secret })
      : openStream({ key: secret.key, passphrase: secret.passphrase });
    let done = 0, said = 0;
    const counted = file.stream().pipeThrough(new TransformStream({
      transform(part, controller) {
        done += part.length;
        if (done - said > file.size / 100) {
          said = done;
          self.postMessage({ progress: done / file.size });
        }
        controller.enqueue(part);
      },
    }));
    const parts = [];
    let small = [], held = 0;
    const keep = () => {
      parts.push(new Blob(small)); // a Blob may lie on disk; arrays do not
      small = [];
      held = 0;
    };
    await counted.pipeThrough(stream).pipeTo(new WritableStream({
      write(part) {
        small.push(part);
        held += part.length;
        if (held >= PART) keep();
      },
    }));
    keep();
    self.postMessage({ blob: new Blob(parts) });
  } catch (error) {
    self.postMessage({ code: error.code ?? "error", message: error.message });
  }
};
