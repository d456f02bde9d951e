/**
 * A thread that highlights texts, which starts with the first one. The grammars need time that grows with the square of some
 * texts, so that keys are read by another thread, and a text that takes too long is not highlighted.
 */

import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';

import type { Clock } from '../../src/base/clock.ts';
import type { Language } from './languages.ts';
import type { SpanLine } from './span.ts';
import type { SyntaxReply, SyntaxRequest } from './syntax-messages.ts';

/** Characters of a text that are highlighted. */
export const MOST_HIGHLIGHTED = 64 * 1_024;
/** The grammars of highlight.js need 5 MB; a text that needs more than this is not highlighted. */
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

  /** Returns the lines of the text with their tones; undefined if the text is too long or takes too much time. */
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

  /** Ends the thread. Texts that it has not highlighted are not highlighted. */
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
