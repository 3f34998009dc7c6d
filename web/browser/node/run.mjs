/**
 * Run one Python program in the page's runtime, outside a browser.
 *
 *     node [FLAGS] run.mjs RUNTIME PROGRAM.py [FILE=PATH ...]
 *
 * RUNTIME is the folder that `python -m web.browser.build` made. Each FILE of this machine is copied to
 * PATH in the program's file system. What the program prints comes out as it is printed; the exit code is
 * the program's, or 3 if the runtime could not start or died. FLAGS are those with which this Node can
 * switch WebAssembly stacks (`web/browser/node/__init__.py` finds them).
 */

import { readFile } from "node:fs/promises";
import path from "node:path";

import { startHost } from "./start.mjs";

const RUNTIME_FAILED = 3;

const [runtime, programFile, ...copies] = process.argv.slice(2);
if (!programFile) {
  console.error("usage: node run.mjs RUNTIME PROGRAM.py [FILE=PATH ...]");
  process.exit(2);
}

function show({ event, stream, text, message }) {
  if (event === "output") process[stream].write(text);
  if (event === "fatal") process.stderr.write(`the runtime died: ${message}\n`);
}

async function run() {
  const host = await startHost(runtime, show);
  for (const copy of copies) {
    const at = copy.indexOf("=");
    const target = copy.slice(at + 1);
    host.pyodide.FS.mkdirTree(path.posix.dirname(target));
    host.pyodide.FS.writeFile(target, await readFile(copy.slice(0, at)));
  }
  const { exitCode } = await host.runProgram(await readFile(programFile, "utf8"));
  return exitCode;
}

let code = RUNTIME_FAILED;
try {
  code = await run();
} catch (error) {
  // Only the message: where Node prints an error by itself, it quotes a line of Pyodide's, a megabyte long.
  process.stderr.write(`${error?.message ?? error}\n`);
}
// `process.exit` would lose what a pipe has not taken yet, so each stream says first that it is empty.
process.stdout.write("", () => process.stderr.write("", () => process.exit(code)));
