/** The worker in which Python runs. A thin wire between the page and the runtime's `host.mjs`. */

import { Downloads } from "./downloads";
import type { FromWorker, RunEvent, ToWorker } from "./messages";

/** What this worker uses of `host.mjs`; its head describes the whole contract. */
interface Host {
  stackSwitching: boolean;
  grade(bundle: string, source: string, seed: number): Promise<unknown>;
  runProgram(source: string, options: ProgramOptions): Promise<unknown>;
  stop(): void;
}

interface ProgramOptions {
  name: string;
  files: Record<string, string>;
}

interface HostModule {
  createHost(options: {
    loadPyodide: unknown;
    indexURL: string;
    packages: string[];
    interruptBuffer: Uint8Array | null;
    post: (event: RunEvent) => void;
  }): Promise<Host>;
}

/** What this worker uses of the runtime folder's `manifest.json`. */
interface Manifest {
  packages: string[];
  contents: { file: string; size: number }[];
}

type StartMessage = Extract<ToWorker, { kind: "start" }>;

/** How much of the start is over when everything has come; the rest is Python's own start. */
const SHARE_OF_LOADING = 0.9;

let host: Host | null = null;

function post(message: FromWorker): void {
  self.postMessage(message);
}

self.addEventListener("message", (event: MessageEvent<ToWorker>) => {
  const message = event.data;
  if (message.kind === "start") void start(message);
  else if (message.kind === "stop") host?.stop();
  else void run(message);
});

async function start({ runtime, interruptBuffer, again }: StartMessage): Promise<void> {
  const downloads = new Downloads(runtime, again);
  try {
    const [manifest, { createHost }, { loadPyodide }] = await Promise.all([
      downloads.json<Manifest>("manifest.json"),
      downloads.module<HostModule>("host.mjs"),
      downloads.module<{ loadPyodide: unknown }>("pyodide.mjs"),
    ]);
    watchProgress(runtime, manifest);
    host = await downloads.needing(
      createHost({
        loadPyodide,
        indexURL: runtime,
        packages: manifest.packages,
        interruptBuffer,
        post,
      }),
    );
    post({ event: "ready", stackSwitching: host.stackSwitching });
  } catch (error) {
    post({ event: "unloadable", problem: await downloads.explain(error) });
  } finally {
    downloads.close();
  }
}

async function run(message: Exclude<ToWorker, { kind: "start" | "stop" }>): Promise<void> {
  try {
    if (!host) throw new Error("not started");
    if (message.kind === "grade") await host.grade(message.bundle, message.source, message.seed);
    else await host.runProgram(message.source, message);
  } catch (error) {
    post({ event: "fatal", message: String(error) });
  }
}

/** Report how many of the runtime's bytes have come, by its own list of files. */
function watchProgress(runtime: string, manifest: Manifest): void {
  // Files are only watched, never read through: a browser keeps compiled WebAssembly with the answer
  // to its own request, and a copied stream would lose that.
  const sizes = new Map(manifest.contents.map(({ file, size }) => [file, size]));
  const total = manifest.contents.reduce((sum, { size }) => sum + size, 0);
  let come = 0;
  new PerformanceObserver((list) => {
    for (const { name } of list.getEntries()) {
      const file = name.startsWith(runtime) ? name.slice(runtime.length) : "";
      come += sizes.get(file) ?? 0;
      sizes.delete(file); // a file asked for twice counts once
    }
    post({ event: "progress", fraction: (SHARE_OF_LOADING * come) / total });
  }).observe({ type: "resource", buffered: true });
}
