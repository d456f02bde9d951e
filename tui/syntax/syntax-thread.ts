/**
 * Highlights texts in a separate thread, which starts with the first text. For some texts, a grammar takes quadratic
 * time. The dashboard must handle keys meanwhile, and gives up on a text that takes too long.
 */

import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';

import type { Clock } from '../../src/base/clock.ts';
import type { Language } from './languages.ts';
import type { SpanLine } from './span.ts';
import type { SyntaxReply, SyntaxRequest } from './syntax-messages.ts';

/** A text with more characters is not highlighted. */
export const MOST_HIGHLIGHTED = 64 * 1_024;
/** The highlight.js grammars need 5 MB. A text that needs more than this limit is not highlighted. */
const MOST_MEMORY_MB = 64;
const MOST_MS = 2_000;

type Highlighted = readonly SpanLine[] | undefined;

export class SyntaxThread {
  readonly #clock: Clock;
  #worker: Worker | undefined;
  #waiting = new Map<number, (lines: Highlighted) => void>();
  #lastId = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /**
   * Returns the highlighted lines of the text. Resolves with undefined if the text is too long or takes too much time.
   */
  async highlight(text: string, language: Language): Promise<Highlighted> {
    if (text.length > MOST_HIGHLIGHTED) return undefined;
    this.#lastId += 1;
    const request: SyntaxRequest = { id: this.#lastId, language, text };
    const { promise, resolve } = Promise.withResolvers<Highlighted>();
    this.#waiting.set(request.id, resolve);
    const cancel = this.#clock.after(MOST_MS, () => this.close());
    this.#worker ??= this.#start();
    this.#worker.postMessage(request, []);
    const lines = await promise;
    cancel();
    return lines;
  }

  /** Ends the thread. Texts that are still waiting remain without highlighting. */
  close(): void {
    void this.#worker?.terminate();
    this.#worker = undefined;
    for (const resolve of this.#waiting.values()) resolve(undefined);
    this.#waiting.clear();
  }

  #start(): Worker {
    const script = `./syntax-worker${extname(import.meta.url)}`;
    const worker = new Worker(new URL(script, import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb: MOST_MEMORY_MB },
    });
    worker.unref();
    worker.on('message', ({ id, lines }: SyntaxReply) => {
      this.#waiting.get(id)?.(lines);
      this.#waiting.delete(id);
    });
    worker.on('error', () => {
      if (this.#worker === worker) this.close();
    });
    return worker;
  }
}
