/**
 * Grades in the page's runtime, request after request, in one Node process.
 *
 *     node [FLAGS] page_runner.mjs RUNTIME
 *
 * RUNTIME is the folder that `python -m web.browser.build` made. Each line of standard input is a JSON
 * request `{bundle, source, seed, seconds}`, each line of standard output the answer to it: `{verdict}`,
 * or `{failure}` where the runtime itself failed. A run of more than `seconds` is stopped as a learner
 * stops it, so its verdict says so. This thread is the owner of `host.mjs`'s contract: it ticks, stops,
 * and as the last resort ends the worker.
 */

import { createInterface } from "node:readline";
import { Worker, isMainThread, parentPort, workerData } from "node:worker_threads";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const TICK_MILLISECONDS = 10;
const STOP_MILLISECONDS = 5000; // what Stop may take; a busy machine is slow
const [SIGINT, SIGALRM] = [2, 14];

if (isMainThread) await own(path.resolve(process.argv[2]) + path.sep);
else await host(workerData);

async function own(runtime) {
  let worker = null;
  for await (const line of createInterface({ input: process.stdin })) {
    worker ??= startWorker(runtime);
    const answer = await grade(worker, JSON.parse(line));
    if (answer.dead) {
      await worker.thread.terminate();
      worker = null;
    }
    delete answer.dead;
    process.stdout.write(JSON.stringify(answer) + "\n");
  }
  await worker?.thread.terminate();
}

function startWorker(runtime) {
  const buffer = new Uint8Array(new SharedArrayBuffer(1));
  const workerData = { runtime, buffer };
  const thread = new Worker(fileURLToPath(import.meta.url), { workerData });
  const worker = { buffer, thread, hear: () => {} };
  const fail = (failure) => worker.hear({ event: "fatal", message: failure });
  thread.on("message", (event) => worker.hear(event));
  thread.on("error", (error) => fail(String(error?.stack ?? error)));
  thread.on("exit", (code) => fail(`the worker ended with code ${code}`));
  return worker;
}

/** The answer to one request; `dead` if the worker cannot be used again. */
function grade(worker, { seconds, ...request }) {
  const { thread, buffer } = worker;
  return new Promise((resolve) => {
    let verdict = null;
    let limit;
    let signal = SIGALRM;
    const ticking = setInterval(
      () => Atomics.compareExchange(buffer, 0, 0, signal),
      TICK_MILLISECONDS,
    );
    const finish = (answer) => {
      clearTimeout(limit);
      clearInterval(ticking);
      worker.hear = () => {};
      resolve(answer);
    };
    const stop = () => {
      signal = SIGINT;
      Atomics.store(buffer, 0, SIGINT);
      thread.postMessage("stop");
      const failure = "the run could not be stopped";
      limit = setTimeout(() => finish({ failure, dead: true }), STOP_MILLISECONDS);
    };
    worker.hear = (event) => {
      if (event.event === "started") {
        limit = setTimeout(stop, seconds * 1000);
      } else if (event.event === "verdict") {
        verdict = event.verdict;
      } else if (event.event === "fatal") {
        finish({ failure: event.message, dead: true });
      } else if (event.event === "idle") {
        const dead = event.abandoned > 0; // what could not be ended keeps its memory
        finish(verdict ? { verdict, dead } : { failure: event.printed || "no verdict", dead });
      }
    };
    thread.postMessage(request);
  });
}

async function host({ runtime, buffer }) {
  const index = pathToFileURL(runtime);
  const { loadPyodide } = await import(new URL("pyodide.mjs", index));
  const { createHost } = await import(new URL("host.mjs", index));
  const { packages } = JSON.parse(await readFile(new URL("manifest.json", index), "utf8"));
  let printed = "";
  const started = createHost({
    loadPyodide,
    indexURL: runtime,
    packages,
    interruptBuffer: buffer,
    post(event) {
      if (event.event === "output") printed = (printed + event.text).slice(-4000);
      else parentPort.postMessage(event);
    },
  });
  parentPort.on("message", async (request) => {
    const { grade, stop } = await started;
    if (request === "stop") return stop();
    printed = "";
    parentPort.postMessage({ event: "started" });
    const bundle = JSON.stringify(request.bundle);
    const { abandoned } = await grade(bundle, request.source, request.seed);
    parentPort.postMessage({ event: "idle", abandoned, printed });
  });
  await started;
}
