/**
 * Runs programs in the page's runtime as the page does: Python in a worker, its owner in this thread.
 *
 *     node [FLAGS] run.mjs RUNTIME < requests > answers
 *
 * Each line of standard input is a request `{name, source, files, arguments, stopAt}`, each line of
 * standard output its answer `{ended, stdout, stderr, posts, stopMilliseconds}`. With `stopAt` the owner
 * presses Stop when that text has been printed, and says how long it took until "ended" came. All
 * programs run in one interpreter, one after the other. The first line of output tells of the start.
 */

import { createInterface } from "node:readline";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { Worker, isMainThread, parentPort, workerData } from "node:worker_threads";

const TICK_MILLISECONDS = 10;
const [SIGINT, SIGALRM] = [2, 14];

if (isMainThread) await own(path.resolve(process.argv[2]) + path.sep);
else await host(workerData);

async function own(index) {
  const buffer = new Uint8Array(new SharedArrayBuffer(1));
  const file = fileURLToPath(import.meta.url);
  const worker = new Worker(file, { workerData: { index, buffer, startedAt: Date.now() } });
  worker.on("error", (error) => {
    process.stderr.write(`${error.message}\n`);
    process.exit(1);
  });
  const say = (answer) => process.stdout.write(JSON.stringify(answer) + "\n");
  say(await new Promise((resolve) => worker.once("message", resolve)));
  for await (const line of createInterface({ input: process.stdin })) {
    say(await run(worker, buffer, JSON.parse(line)));
  }
  await worker.terminate();
}

function run(worker, buffer, { stopAt, ...request }) {
  const answer = { stdout: "", stderr: "", posts: 0, stopMilliseconds: null };
  let stopped = null;
  return new Promise((resolve) => {
    const ticking = setInterval(
      () => Atomics.compareExchange(buffer, 0, 0, stopped === null ? SIGALRM : SIGINT),
      TICK_MILLISECONDS,
    );
    const listen = (event) => {
      if (event.event === "output") {
        answer.posts += 1;
        answer[event.stream] += event.text;
        if (stopAt && stopped === null && answer.stdout.includes(stopAt)) {
          stopped = performance.now();
          Atomics.store(buffer, 0, SIGINT);
          worker.postMessage("stop");
        }
      } else if (event.event === "ended" || event.event === "fatal") {
        if (stopped !== null) answer.stopMilliseconds = performance.now() - stopped;
        clearInterval(ticking);
        worker.off("message", listen);
        resolve({ ...answer, ended: event });
      }
    };
    worker.on("message", listen);
    worker.postMessage(request);
  });
}

async function host({ index, buffer, startedAt }) {
  const { loadPyodide } = await import(pathToFileURL(index + "pyodide.mjs"));
  const { createHost } = await import(pathToFileURL(index + "host.mjs"));
  const { packages } = JSON.parse(await readFile(index + "manifest.json", "utf8"));
  const python = await createHost({
    loadPyodide,
    indexURL: index,
    packages,
    interruptBuffer: buffer,
    post: (event) => parentPort.postMessage(event),
  });
  const { stackSwitching, startup } = python;
  parentPort.postMessage({ stackSwitching, startup, allMilliseconds: Date.now() - startedAt });
  parentPort.on("message", (message) => {
    if (message === "stop") python.stop();
    else python.runProgram(message.source, message).catch(() => {});
  });
}
