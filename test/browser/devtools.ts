/**
 * Client for Chrome's DevTools protocol. It sends JSON messages over a pipe, and a NUL byte ends
 * each message. No other process can connect, because the protocol uses no network port.
 */

import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';

type Members = Readonly<Record<string, unknown>>;

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly params?: Members;
  readonly result?: Members;
  readonly error?: { readonly message: string };
  readonly sessionId?: string;
}

/** An event of the browser. `session` identifies the page. */
export interface DevtoolsEvent {
  readonly method: string;
  readonly params: Members;
  readonly session: string | undefined;
}

/**
 * Timeout of a call in milliseconds. Calls take less than a tenth of it, but a browser can hang.
 */
export const LONGEST_MS = 30_000;

export class Devtools {
  readonly #input: Writable;
  readonly #waiting = new Map<number, PromiseWithResolvers<Members>>();
  readonly #listeners = new Set<(event: DevtoolsEvent) => void>();
  #received = '';
  #calls = 0;

  constructor(input: Writable, output: Readable) {
    this.#input = input;
    output.setEncoding('utf8');
    output.on('data', (text: string) => this.#read(text));
    void once(output, 'close').then(() => this.#end());
  }

  async call(method: string, params: Members = {}, session?: string): Promise<Members> {
    const id = (this.#calls += 1);
    const answer = Promise.withResolvers<Members>();
    this.#waiting.set(id, answer);
    const sessionId = session === undefined ? {} : { sessionId: session };
    this.#input.write(`${JSON.stringify({ id, method, params, ...sessionId })}\0`);
    return within(answer.promise, method);
  }

  /** Calls the listener for each event. Returns a function that removes the listener. */
  listen(listener: (event: DevtoolsEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  #read(text: string): void {
    const messages = (this.#received + text).split('\0');
    this.#received = messages.pop() ?? '';
    for (const each of messages) this.#take(JSON.parse(each) as Message);
  }

  #take({ id, method, params = {}, result = {}, error, sessionId }: Message): void {
    if (method !== undefined) {
      for (const listener of this.#listeners) listener({ method, params, session: sessionId });
    }
    const answer = id === undefined ? undefined : this.#waiting.get(id);
    if (id === undefined || answer === undefined) return;
    this.#waiting.delete(id);
    if (error === undefined) answer.resolve(result);
    else answer.reject(new Error(`browser: ${error.message}`));
  }

  #end(): void {
    for (const { reject } of this.#waiting.values())
      reject(new Error('the browser process has ended'));
    this.#waiting.clear();
  }
}

/** Rejects if the work takes longer than the timeout. */
export async function within<T>(work: Promise<T>, what: string): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => late.reject(new Error(`${what}: timed out after ${LONGEST_MS} ms`)),
    LONGEST_MS,
  );
  try {
    return await Promise.race([work, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
