// Asks the core in wasm32: node run.mjs MODULE KIND [FILE]
//
// The question is the kind on a line, then the bytes of the file. The answer goes to standard output.
import { readFileSync } from "node:fs";

const [module, kind, file] = process.argv.slice(2);
const question = Buffer.concat([
  Buffer.from(kind + "\n"),
  file === undefined ? Buffer.alloc(0) : readFileSync(file),
]);

// Nothing to import: the core has no clock, no files and no environment.
const { instance } = await WebAssembly.instantiate(readFileSync(module), {});
const { memory, input, run, output } = instance.exports;

const at = input(question.length);
new Uint8Array(memory.buffer).set(question, at);
const length = run();
// Looked up again, since memory that grows moves to a new buffer.
process.stdout.write(new Uint8Array(memory.buffer, output(), length));
