// SPDX-License-Identifier: Apache-2.0
//! Compiles the amalgam: `c/hanji.c` of a packaged crate, or, in a clone of the repository, the one
//! that `tools/amalgam.py` writes.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

fn main() {
    println!("cargo::rerun-if-env-changed=HANJI_WITHOUT_C");
    if env::var_os("DOCS_RS").is_some() || env::var_os("HANJI_WITHOUT_C").is_some() {
        return; // documentation and `cargo check`: nothing is linked
    }
    let home = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets it"));
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets it"));
    let packaged = home.join("c");
    let folder = if packaged.join("hanji.c").exists() {
        println!("cargo::rerun-if-changed=c");
        packaged
    } else {
        amalgam(&home, &out)
    };

    let mut build = cc::Build::new();
    build.file(folder.join("hanji.c")).include(&folder).std("c11");
    // Portable C is written for an optimizer; without one it is ten times slower.
    if env::var("OPT_LEVEL").is_ok_and(|level| level == "0" || level == "1") {
        build.opt_level(2);
    }
    if env::var("CARGO_CFG_TARGET_OS").is_ok_and(|os| os == "none") {
        build.define("HANJI_FREESTANDING", None).flag("-ffreestanding");
    }
    build.flag_if_supported("-ffunction-sections").flag_if_supported("-fdata-sections");
    build.compile("hanji_amalgam");
    if env::var("CARGO_CFG_TARGET_OS").is_ok_and(|os| os == "windows") {
        println!("cargo::rustc-link-lib=bcrypt"); // random bytes
    }
}

/// Write the amalgam of the clone that the crate lies in.
fn amalgam(home: &Path, out: &Path) -> PathBuf {
    let root = home.join("..");
    let script = root.join("tools/amalgam.py");
    assert!(
        script.exists(),
        "neither c/hanji.c nor {} is there: take the packaged crate, or a whole clone",
        script.display()
    );
    for watched in ["tools/amalgam.py", "include", "src", "rust/algorithms.txt"] {
        println!("cargo::rerun-if-changed={}", root.join(watched).display());
    }
    println!("cargo::rerun-if-env-changed=PYTHON");
    let names = fs::read_to_string(home.join("algorithms.txt")).expect("algorithms.txt is there");
    let python = env::var("PYTHON").unwrap_or_else(|_| "python3".into());
    let folder = out.join("c");
    let done = Command::new(&python)
        .arg(script)
        .args(["--algorithms", &names.split_whitespace().collect::<Vec<_>>().join(", ")])
        .arg("--out")
        .arg(&folder)
        .status();
    match done {
        Ok(status) if status.success() => folder,
        Ok(status) => panic!("tools/amalgam.py ended with {status}; its message is above"),
        Err(error) => {
            panic!("{python} did not run ({error}); install Python 3.11 or newer, or set PYTHON")
        }
    }
}
