/**
 * Byte-compile Python files with Pyodide itself:
 *
 *     node compile.mjs PYODIDE FOLDER PROGRAM.py REQUEST.json
 *
 * FOLDER appears as /trees in Pyodide's file system; PROGRAM finds REQUEST's text in `request`. Its value is
 * what could not be compiled, or nothing.
 */

import { readFileSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";

const [pyodide, folder, program, request] = process.argv.slice(2);
const index = path.resolve(pyodide) + path.sep;
const { loadPyodide } = await import(pathToFileURL(index + "pyodide.mjs"));
const python = await loadPyodide({ indexURL: index });
python.FS.mkdirTree("/trees");
python.FS.mount(python.FS.filesystems.NODEFS, { root: path.resolve(folder) }, "/trees");
python.globals.set("request", readFileSync(request, "utf8"));
const problems = python.runPython(readFileSync(program, "utf8"));
if (problems) {
  console.error(problems);
  process.exitCode = 1;
}
