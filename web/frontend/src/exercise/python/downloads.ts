/** Loads the runtime's files in the worker, and knows which of them did not come, or came broken.
 *
 * Pyodide says little about a file that fails: it goes on without a package, and without its WebAssembly
 * it waits for ever. So while it starts, `fetch` and the compiler of WebAssembly are listened to. The
 * answers themselves go through untouched, for a browser keeps compiled WebAssembly with the very answer
 * to its own request.
 */

import type { LoadingProblem } from "./messages";

export class Downloads {
  private readonly failed = new Set<string>();
  private readonly plainFetch = self.fetch;
  private readonly plainCompile = WebAssembly.instantiateStreaming;
  private tell: (error: Error) => void = () => undefined;
  private readonly failure = new Promise<never>((_, reject) => (this.tell = reject));

  /** `again` lists addresses that came broken before: a browser may have kept them so. */
  constructor(
    private readonly runtime: string,
    private readonly again: string[],
  ) {
    self.fetch = (request, options) => this.listen(request, options);
    WebAssembly.instantiateStreaming = (source, imports) => this.compile(source, imports);
    this.failure.catch(() => undefined); // also if nobody waits any more
  }

  /** Listen no longer. */
  close(): void {
    self.fetch = this.plainFetch;
    WebAssembly.instantiateStreaming = this.plainCompile;
  }

  /** The result of this work, or an error as soon as a file fails. */
  needing<Result>(work: Promise<Result>): Promise<Result> {
    return Promise.race([work, this.failure]);
  }

  async json<Content>(file: string): Promise<Content> {
    return (await this.needing(self.fetch(this.runtime + file).then((answer) => answer.json()))) as Content;
  }

  async module<Module>(file: string): Promise<Module> {
    try {
      return (await import(this.runtime + file)) as Module;
    } catch (error) {
      this.fail(this.runtime + file);
      throw error;
    }
  }

  /** What to tell of a start that failed with this error. */
  async explain(error: unknown): Promise<LoadingProblem> {
    const message = String(error);
    // A module that Pyodide imports by itself; browsers name it in their words.
    const named = message.match(/https?:\/\/[^\s'"]+/g) ?? [];
    for (const address of named) if (address.startsWith(this.runtime)) this.failed.add(address);
    const addresses = [...this.failed];
    if (await this.hasMoved()) return { kind: "moved", addresses, message };
    return { kind: addresses.length ? "files" : "other", addresses, message };
  }

  private async listen(request: RequestInfo | URL, options?: RequestInit): Promise<Response> {
    const address = new URL(request instanceof Request ? request.url : request, self.location.href).href;
    const fresh = this.again.includes(address) ? { ...options, cache: "reload" as const } : options;
    try {
      // A plain function, as browsers want it: called on nothing but the worker itself.
      const answer = await this.plainFetch.call(self, request, fresh);
      if (!answer.ok) this.fail(address);
      return answer;
    } catch (error) {
      this.fail(address); // the network is gone, or the content is not what was promised
      throw error;
    }
  }

  private async compile(
    source: Response | PromiseLike<Response>,
    imports?: WebAssembly.Imports,
  ): Promise<WebAssembly.WebAssemblyInstantiatedSource> {
    try {
      return await this.plainCompile.call(WebAssembly, source, imports);
    } catch (error) {
      this.fail((await source).url);
      throw error;
    }
  }

  private fail(address: string): void {
    this.failed.add(address);
    this.tell(new Error(`${address} did not come`));
  }

  /** Whether the site, though it answers, has no longer this build of the runtime. */
  private async hasMoved(): Promise<boolean> {
    try {
      const answer = await this.plainFetch.call(self, `${this.runtime}manifest.json`, {
        cache: "no-store",
      });
      return answer.status === 404;
    } catch {
      return false;
    }
  }
}
