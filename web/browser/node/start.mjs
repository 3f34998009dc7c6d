/**
 * The page's runtime in this Node process, with the ticks that let a computing thread be interrupted.
 * The other side of the contract at the top of the runtime's `host.mjs`.
 */

import { readFile } from "node:fs/promises";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { Worker } from "node:worker_threads";

const SIGINT = 2;
const SIGALRM = 14;
const TICK_MILLISECONDS = 10;
const IDLE = 0;

/**
 * Runs in a thread of its own. `state` is IDLE, or the signal that a tick writes where nothing is written:
 * SIGALRM while a program runs, SIGINT once it is to stop.
 */
const TICKER = `
const { buffer, state } = require("node:worker_threads").workerData;
for (;;) {
  Atomics.wait(state, 0, ${IDLE});
  Atomics.wait(state, 0, Atomics.load(state, 0), ${TICK_MILLISECONDS});
  const signal = Atomics.load(state, 0);
  if (signal !== ${IDLE}) Atomics.compareExchange(buffer, 0, 0, signal);
}`;

/**
 * @param {string} folder  what `python -m web.browser.build` made
 * @param {(event: object) => void} post  gets the events that `host.mjs` describes
 * @returns {Promise<object>} the host of `host.mjs`; `grade`, `runProgram` and `stop` tick and interrupt
 */
export async function startHost(folder, post) {
  const index = path.resolve(folder) + path.sep;
  const load = (name) => import(pathToFileURL(index + name));
  const [{ loadPyodide }, { createHost }] = await Promise.all([
    load("pyodide.mjs"),
    load("host.mjs"),
  ]);
  const { packages } = JSON.parse(await readFile(index + "manifest.json", "utf8"));
  const interruptBuffer = new Uint8Array(new SharedArrayBuffer(1));
  const host = await createHost({ loadPyodide, indexURL: index, packages, interruptBuffer, post });

  const state = new Int32Array(new SharedArrayBuffer(4));
  const ticker = new Worker(TICKER, { eval: true, workerData: { buffer: interruptBuffer, state } });
  ticker.unref();
  const set = (value) => {
    Atomics.store(state, 0, value);
    Atomics.notify(state, 0);
  };
  const ticking = (method) => async (...values) => {
    ticker.ref(); // V8 alone does not keep Node alive while WebAssembly waits on another stack
    set(SIGALRM);
    try {
      return await method(...values);
    } finally {
      set(IDLE);
      ticker.unref();
    }
  };
  return {
    ...host,
    grade: ticking(host.grade),
    runProgram: ticking(host.runProgram),
    stop() {
      if (Atomics.load(state, 0) !== IDLE) set(SIGINT);
      Atomics.store(interruptBuffer, 0, SIGINT);
      host.stop();
    },
  };
}
