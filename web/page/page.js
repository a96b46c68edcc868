// SPDX-License-Identifier: Apache-2.0
import { randomBytes } from "./hanji.js";
import { writeKeyFile } from "./sealed.js";

const MARK = [0x89, 0x68, 0x61, 0x6e, 0x6a, 0x69, 0x0d, 0x0a];
const at = (id) => document.getElementById(id);
let file, keyText, direction = "seal", worker, saved, savedKey;

const withKey = () => document.querySelector("input[name=with]:checked").value === "key";

function ready() {
  const twice = direction === "seal" && !withKey();
  const differs = twice && at("again").value !== at("passphrase").value;
  at("go").disabled = !file || worker !== undefined || differs
    || (withKey() ? keyText === undefined : at("passphrase").value === "");
  at("again-row").hidden = !twice;
  at("differs").textContent = differs && at("again").value !== ""
    ? "This is not the passphrase above." : "";
  at("go").textContent = direction === "seal" ? "Seal" : "Open";
  at("algorithm-row").hidden = direction === "open" && !withKey();
  at("algorithm-label").textContent = withKey() ? "Algorithm of a new key" : "Algorithm";
  at("passphrase-label").textContent = withKey()
    ? "Passphrase of the key file, where it has one" : "Passphrase";
  at("key-row").hidden = !withKey();
}

function say(text, wrong = false) {
  at("message").textContent = text;
  at("message").className = wrong ? "wrong" : "";
}

function offer(blob, name) {
  if (saved) URL.revokeObjectURL(saved);
  saved = URL.createObjectURL(blob);
  Object.assign(at("save"), { href: saved, download: name, textContent: `Save ${name}` });
  at("result").hidden = false;
}

async function take(chosen) {
  file = chosen;
  at("result").hidden = true;
  say("");
  at("chosen").textContent = "";
  if (file) {
    const head = new Uint8Array(await file.slice(0, MARK.length).arrayBuffer());
    if (file !== chosen) return; // another one was chosen meanwhile
    direction = MARK.every((byte, i) => head[i] === byte) ? "open" : "seal";
    at("chosen").textContent = `${file.name}, ${file.size} bytes`
      + (direction === "open" ? ": a sealed file" : "");
  }
  ready();
}

function end() {
  worker?.terminate();
  worker = undefined;
  at("progress").hidden = at("stop").hidden = true;
  ready();
}

at("file").addEventListener("change", (event) => take(event.target.files[0]));
// Anywhere: a browser leaves the page for a file that is dropped beside the place for it.
for (const kind of ["dragenter", "dragover"]) {
  document.addEventListener(kind, (event) => {
    event.preventDefault();
    at("drop").classList.add("over");
  });
}
document.addEventListener("dragleave", () => at("drop").classList.remove("over"));
document.addEventListener("drop", (event) => {
  event.preventDefault();
  at("drop").classList.remove("over");
  if (event.dataTransfer.files.length) {
    at("file").value = ""; // else it names another one
    take(event.dataTransfer.files[0]);
  }
});
for (const id of ["passphrase", "again"]) at(id).addEventListener("input", ready);
for (const radio of document.querySelectorAll("input[name=with]")) {
  radio.addEventListener("change", ready);
}
at("key").addEventListener("change", async (event) => {
  const chosen = event.target.files[0]; // as bytes: text() would hide a byte order mark
  keyText = chosen && new Uint8Array(await chosen.arrayBuffer());
  ready();
});
at("keygen").addEventListener("click", () => {
  const algorithm = at("algorithm").value;
  keyText = writeKeyFile(algorithm, randomBytes(16), "made in a browser");
  at("key").value = ""; // a key file chosen before is not what seals
  if (savedKey) URL.revokeObjectURL(savedKey);
  savedKey = URL.createObjectURL(new Blob([keyText]));
  // A link of its own: what is sealed next takes the other one's place, and the key would be lost.
  Object.assign(at("save-key"), { href: savedKey, download: "hanji.key", hidden: false });
  say("A new key. Save it: without it nothing that it seals opens again.");
  ready();
});
at("stop").addEventListener("click", () => {
  end();
  say("Stopped; nothing was written.");
});
at("form").addEventListener("submit", (event) => {
  event.preventDefault();
  const given = file, way = direction; // another file may be chosen before the end
  say("Working.");
  at("result").hidden = true;
  at("progress").value = 0;
  at("progress").hidden = at("stop").hidden = false;
  worker = new Worker("worker.js", { type: "module" });
  worker.onmessage = ({ data }) => {
    if (data.progress !== undefined) {
      at("progress").value = data.progress;
      return;
    }
    if (data.blob) {
      const name = way === "seal" ? `${given.name}.hanji` : given.name.replace(/\.hanji$/, "");
      offer(data.blob, way === "open" && name === given.name ? `${name}.opened` : name);
      say(way === "seal" ? "Sealed." : "Opened: the file is whole.");
    } else {
      say(`Refused (${data.code}): ${data.message}`, true);
    }
    end();
  };
  worker.onerror = (error) => {
    say(`The page failed: ${error.message}`, true);
    end();
  };
  worker.postMessage({
    file: given,
    direction: way,
    algorithm: at("algorithm").value,
    passphrase: at("passphrase").value || undefined,
    keyText: withKey() ? keyText : undefined,
  });
  ready();
});
ready();
