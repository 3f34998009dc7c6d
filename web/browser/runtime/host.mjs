/**
 * The host of the page's Python: loads Pyodide and our packages, and runs one program at a time.
 * The same module serves the page's worker and Node.
 *
 * THE CONTRACT. There are two sides: this one, whose thread Python occupies, and the owner (the page's
 * main thread; under Node another thread). They share one byte, `interruptBuffer`: a Uint8Array of
 * length 1 on a SharedArrayBuffer. The host sets it to 0 when a run begins. The owner
 *
 * - ticks: while a run is on, about every 10 ms, it writes 14 (SIGALRM) if the byte is 0. At a tick a
 *   thread that computes lets the others run, prints what it has, and messages to this side are heard.
 *   Without ticks a busy loop starves everything else; programs that wait now and then work.
 * - stops: it writes 2 (SIGINT) AND sends a message upon which this side calls `stop()`: the byte is
 *   seen by a program that computes, the message by one that waits. From then on its ticks write 2 in
 *   place of 14 until "ended" comes, for Pyodide may clear a byte that was written while it read the one
 *   before. A program that ignores the interrupt is thrown out at a later tick, within half a second.
 * - ends the thread itself if "ended" has not come 0.9 s after Stop: then Python is inside one long
 *   operation, for instance of numpy's, and cannot be reached.
 *
 * `interruptBuffer` may be null where there is no SharedArrayBuffer: no ticks, and only waiting
 * programs can be stopped.
 *
 * EVENTS, given to `post` as plain objects:
 *
 *   {event: "output", stream: "stdout" | "stderr", text}
 *   {event: "result", result}       one test of a grading, as in the verdict's "tests"
 *   {event: "verdict", verdict}     the verdict, with backend "page"
 *   {event: "ended", exitCode, stopped, abandoned, dropped, milliseconds}
 *                                   a run is over; `exitCode` as of `python`, 130 if it was stopped;
 *                                   `dropped` counts bytes printed beyond the first 256 KiB;
 *                                   `abandoned` threads could not be ended and keep their memory:
 *                                   start a new worker when convenient
 *   {event: "fatal", message}       Python is dead; only a new worker helps
 *
 * `grade` and `runProgram` resolve to the "ended" event. A stopped grading may come without a verdict.
 */

const BATCH_MILLISECONDS = 16;
const SHORT_MILLISECONDS = 4; // below this, browsers round a timer up

/** Call `action` after the events that are waiting now. Node's `setImmediate` is fairer than a port. */
const takeTurn =
  typeof setImmediate === "function"
    ? setImmediate
    : (() => {
        const { port1, port2 } = new MessageChannel();
        const actions = [];
        port1.onmessage = () => actions.shift()();
        return (action) => {
          actions.push(action);
          port2.postMessage(null);
        };
      })();

/** One alarm. `listen` says what to call; setting it again forgets the time set before. */
function createAlarm() {
  let listener = () => {};
  let serial = 0;
  let timer;
  return {
    listen(action) {
      listener = action;
    },
    set(milliseconds) {
      const mine = ++serial;
      clearTimeout(timer);
      if (milliseconds >= SHORT_MILLISECONDS) {
        timer = setTimeout(() => listener(), milliseconds);
        return;
      }
      const due = performance.now() + milliseconds;
      const look = () => {
        if (mine !== serial) return;
        if (performance.now() >= due) listener();
        else takeTurn(look);
      };
      takeTurn(look);
    },
  };
}

/**
 * Output in pieces: at once after a pause, else gathered, so that a flood does not drown the owner.
 * Where stacks cannot be switched, no timer runs before the program has ended, so nothing is gathered.
 */
function createWriter(post, stackSwitching) {
  let gathered = [];
  let posted = -Infinity;
  let timer = null;
  const flush = () => {
    clearTimeout(timer);
    timer = null;
    const pieces = gathered;
    gathered = [];
    if (pieces.length) posted = performance.now();
    for (const { stream, text } of pieces) post({ event: "output", stream, text });
  };
  return {
    flush,
    write(stream, text) {
      const last = gathered.at(-1);
      if (last?.stream === stream) last.text += text;
      else gathered.push({ stream, text });
      const pause = performance.now() - posted;
      if (!stackSwitching || pause >= BATCH_MILLISECONDS) flush();
      else timer ??= setTimeout(flush, BATCH_MILLISECONDS);
    },
  };
}

/** What Python may ask of the page: see `minisgl_page/bridge.py`. */
function createBridge(python, writer, post, stackSwitching, fatal) {
  const alarm = createAlarm();
  const guarded = (listener) => () => {
    try {
      listener();
    } catch (error) {
      fatal(error);
    }
  };
  let turnListener;
  return {
    stack_switching: stackSwitching,
    turn: () => takeTurn(turnListener),
    on_turn(listener) {
      turnListener = guarded(listener);
    },
    start(body) {
      Promise.resolve()
        .then(() => body.callPromising())
        .catch(fatal)
        .finally(() => body.destroy());
    },
    set_alarm: alarm.set,
    on_alarm: (listener) => alarm.listen(guarded(listener)),
    write: writer.write,
    post(event) {
      writer.flush();
      post(JSON.parse(event));
    },
    make_socket_node(path) {
      const { node } = python.FS.lookupPath(path);
      node.mode = 0o140000 | (node.mode & 0o777);
    },
  };
}

/**
 * @param {object} options
 * @param {Function} options.loadPyodide       from the runtime folder's `pyodide.mjs`
 * @param {string} options.indexURL            the runtime folder, with a slash at its end
 * @param {string[]} options.packages          the names to load, from `manifest.json`
 * @param {Uint8Array | null} options.interruptBuffer
 * @param {(event: object) => void} options.post
 * @returns {Promise<object>} `{stackSwitching, startup, grade, runProgram, stop, pyodide}`; `startup`
 *   has the milliseconds that Pyodide with the packages (`pyodide`) and our runtime (`runtime`) took
 */
export async function createHost({ loadPyodide, indexURL, packages, interruptBuffer, post }) {
  const began = performance.now();
  const stackSwitching = "Suspending" in WebAssembly || "Suspender" in WebAssembly;
  const writer = createWriter(post, stackSwitching);
  const python = await loadPyodide({
    indexURL,
    packages,
    stdin: () => null,
    stdout: (line) => writer.write("stdout", line + "\n"),
    stderr: (line) => writer.write("stderr", line + "\n"),
  });
  const loaded = performance.now();

  let dead = null;
  let tellDeath;
  const death = new Promise((_, reject) => (tellDeath = reject));
  death.catch(() => {});
  const fatal = (error) => {
    if (dead) return;
    dead = error instanceof Error ? error : new Error(String(error));
    writer.flush();
    post({ event: "fatal", message: String(dead.message) });
    tellDeath(dead);
  };

  if (interruptBuffer) python.setInterruptBuffer(interruptBuffer);
  python.registerJsModule(
    "_minisgl_page_host",
    createBridge(python, writer, post, stackSwitching, fatal),
  );
  const session = python.pyimport("minisgl_page.session").Session();
  const ready = performance.now();

  let running = false;
  /** One run: `method` of the session, on a stack of its own where there can be several. */
  async function run(method, request) {
    if (dead) throw dead;
    if (running) throw new Error("one run at a time");
    running = true;
    if (interruptBuffer) Atomics.store(interruptBuffer, 0, 0);
    const call = session[method];
    try {
      const json = JSON.stringify(request);
      const answer = stackSwitching ? call.callPromising(json) : call(json);
      const event = { event: "ended", ...JSON.parse(await Promise.race([answer, death])) };
      writer.flush();
      post(event);
      return event;
    } catch (error) {
      fatal(error);
      throw error;
    } finally {
      running = false;
      call.destroy();
    }
  }

  return {
    stackSwitching,
    startup: { pyodide: loaded - began, runtime: ready - loaded },
    pyodide: python,
    /** Grade `source` against an exercise's bundle (JSON text), in this interpreter. */
    grade: (bundleJson, source, seed = 0) =>
      run("grade", { bundle: JSON.parse(bundleJson), source, seed }),
    /** Run `source` as the program `name`, with text `files` beside it and `arguments`. */
    runProgram: (source, { files = {}, name = "program.py", arguments: words = [] } = {}) =>
      run("run_program", { source, files, name, arguments: words }),
    /** End the run that is on. The owner writes SIGINT as well. */
    stop() {
      if (running && !dead) session.stop();
    },
  };
}
