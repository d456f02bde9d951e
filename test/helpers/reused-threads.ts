/**
 * Runs the writer threads and the query threads of test engines on threads that are used again. The start
 * of a thread takes 30 ms of CPU time, and an engine starts several. The tests of the daemon and of crashes
 * start real threads.
 */

import { EventEmitter } from 'node:events';
import { availableParallelism } from 'node:os';
import { MessageChannel, type MessagePort, type Transferable, Worker } from 'node:worker_threads';

import { builtProgram } from './built-program.ts';

/** Message that makes a host run a script. `port` is the `parentPort` of the script. */
export interface HostedScript {
  readonly url: string;
  readonly workerData: unknown;
  readonly port: MessagePort;
}

/** Number of unused threads that are kept. */
const MAX_IDLE = 4 * availableParallelism();
/** Time in milliseconds in which a terminated script must return, before its thread is terminated. */
const RETURN_MS = 100;

const idle: Worker[] = [];

function takeHost(): Worker {
  const host = idle.pop() ?? new Worker(builtProgram('thread-host'));
  // An unused thread must not keep the process alive. The port of a running script does that.
  host.unref();
  return host;
}

/** Has the interface of `Worker` that the engine uses. */
export class ReusedThread extends EventEmitter {
  readonly #host = takeHost();
  readonly #port: MessagePort;
  readonly #ended = Promise.withResolvers<void>();
  #late: NodeJS.Timeout | undefined;
  /** Whether the thread itself was terminated. It cannot be used again, even if the script has returned meanwhile. */
  #isTerminated = false;

  constructor(script: URL, { workerData }: { readonly workerData?: unknown } = {}) {
    super();
    const { port1, port2 } = new MessageChannel();
    this.#port = port1;
    // The events of a port arrive in order, so all messages arrive before `close`.
    const closed = new Promise<void>((resolve) => port1.once('close', resolve));
    port1.on('message', (message) => this.emit('message', message));
    const fail = (error: unknown) => this.emit('error', error);
    const end = async (isReturned: boolean) => {
      clearTimeout(this.#late);
      this.#host.off('message', returned).off('error', fail).off('exit', exited);
      if (isReturned && !this.#isTerminated && idle.length < MAX_IDLE) idle.push(this.#host);
      else if (isReturned) void this.#host.terminate();
      await closed;
      this.emit('exit', isReturned ? 0 : 1);
      this.#ended.resolve();
    };
    const returned = () => void end(true);
    const exited = () => void end(false);
    this.#host.on('message', returned).on('error', fail).on('exit', exited);
    const hosted: HostedScript = { url: script.href, workerData, port: port2 };
    this.#host.postMessage(hosted, [port2]);
  }

  postMessage(message: unknown, moved: readonly Transferable[]): void {
    this.#port.postMessage(message, moved);
  }

  async terminate(): Promise<void> {
    this.#port.close();
    this.#late = setTimeout(() => {
      this.#isTerminated = true;
      void this.#host.terminate();
    }, RETURN_MS);
    await this.#ended.promise;
    clearTimeout(this.#late);
  }
}
