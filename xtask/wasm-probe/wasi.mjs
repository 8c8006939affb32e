// Runs a test program that was compiled for wasm32-wasip1: node wasi.mjs PROGRAM ARGUMENT...
//
// The program sees the folder it is started in, since tests may read files of the repository.
import { readFileSync } from "node:fs";
import { WASI } from "node:wasi";

const [program, ...args] = process.argv.slice(2);
const wasi = new WASI({
  version: "preview1",
  args: [program, ...args],
  env: { RUST_BACKTRACE: "0", RUST_TEST_THREADS: "1" },
  preopens: { ".": process.cwd(), [process.cwd()]: process.cwd() },
  returnOnExit: true,
});
const compiled = await WebAssembly.compile(readFileSync(program));
const instance = await WebAssembly.instantiate(compiled, wasi.getImportObject());
process.exitCode = wasi.start(instance);
