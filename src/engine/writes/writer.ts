/** Queues commands on the main thread and sends them to the writer thread, which makes all changes to the metadata. */

import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';

import { errorMessage, isDamagedDatabase } from '../../base/errors.ts';
import { StorageError } from '../../object-store/storage-error.ts';
import {
  bucketOf,
  carriedBytes,
  type CommandContext,
  type CommandName,
  type Commands,
  type Envelope,
  movableBuffer,
  weightOf,
} from './commands/commands.ts';
import { type GroupReply, type Reply, STOP, type WriterOptions } from './writer-messages.ts';
import type { Refusal } from '../disk/refusals.ts';
import { metadataDamaged } from '../disk/metadata-damage.ts';

/**
 * The maximum number of commands without a reply. A bulk write counts as one command for each object. More such
 * commands mean that the disk is too slow for the load.
 */
const MAX_WAITING_COMMANDS = 32_768;

/**
 * The maximum number of commands without a reply for one bucket, so that a client that sends too many commands does not
 * block the others.
 */
const MAX_WAITING_OF_BUCKET = 8192;

/** The maximum total size of the bodies in queued commands. Each body has at most 64 KiB. */
const MAX_WAITING_BYTES = 64 * 1024 ** 2;

/** Runs a command of the engine itself, and resolves with the result. */
export type RunCommand = <Name extends CommandName>(
  name: Name,
  request: Commands[Name]['request'],
) => Promise<Commands[Name]['result']>;

interface WriterHooks {
  readonly onGarbage: (files: readonly string[]) => void;
  /** Called after each group of commands. */
  readonly onCommit: () => void;
  /** Returns the error for the command if the disk has no space for it; otherwise undefined. */
  readonly lacksRoom: (name: CommandName) => StorageError | undefined;
}

interface Load {
  readonly sizeBytes: number;
  /** How many commands the request counts as. A bulk write counts as one command for each object. */
  readonly weight: number;
  /** The bucket of the command; '' for a command of the engine itself. */
  readonly bucket: string;
}

interface Waiting extends Load {
  resolve(result: unknown): void;
  reject(error: StorageError): void;
}

export class Writer {
  readonly #options: WriterOptions;
  readonly #hooks: WriterHooks;
  #worker: Worker | undefined;
  #ended: Promise<void> | undefined;
  readonly #waiting = new Map<number, Waiting>();
  #outbox: Envelope[] = [];
  /** The buffers of queued commands that will be transferred to the writer thread. */
  #moving: ArrayBuffer[] = [];
  /**
   * The number of commands without a reply, by bucket. A bulk write counts as one command for each object. A bucket
   * without such commands has no entry.
   */
  readonly #waitingOf = new Map<string, number>();
  #waitingBytes = 0;
  /** The number of commands without a reply. A bulk write counts as one command for each object. */
  #waitingWeight = 0;
  #nextId = 1;
  /** The error with which new commands are rejected; undefined while commands are accepted. */
  #refusal: StorageError | undefined;

  constructor(options: WriterOptions, hooks: WriterHooks) {
    this.#options = options;
    this.#hooks = hooks;
  }

  /** Starts the writer thread. Commands that were queued before the start are then sent to it. */
  start(): void {
    const script = `./writer-worker${extname(import.meta.url)}`;
    const worker = new Worker(new URL(script, import.meta.url), { workerData: this.#options });
    worker.on('message', (reply: GroupReply) => this.#receive(reply));
    worker.on('error', (error) => {
      if (isDamagedDatabase(error)) this.refuse(metadataDamaged());
      this.#end(errorMessage(error));
    });
    this.#ended = new Promise((resolve) => {
      worker.on('exit', () => {
        this.#end('it ended');
        resolve();
      });
    });
    this.#worker = worker;
  }

  /**
   * Queues a command, and resolves with its result when the change is durable. Rejects with `SlowDown` if too many
   * commands are queued.
   */
  run<Name extends CommandName>(
    name: Name,
    request: Commands[Name]['request'],
    context: CommandContext,
  ): Promise<Commands[Name]['result']> {
    const [sizeBytes, weight] = [carriedBytes(request), weightOf(request)];
    const bucket = bucketOf({ request });
    const refusal =
      this.#refusal ?? this.#overload({ sizeBytes, weight, bucket }) ?? this.#hooks.lacksRoom(name);
    if (refusal) return Promise.reject(refusal);
    const id = this.#nextId++;
    // Send all commands of one turn of the event loop in one message.
    if (this.#outbox.length === 0) setImmediate(() => this.#flush());
    this.#outbox.push({ id, name, request, ...context });
    const movable = movableBuffer(request);
    if (movable) this.#moving.push(movable);
    this.#waitingBytes += sizeBytes;
    this.#waitingWeight += weight;
    this.#waitingOf.set(bucket, (this.#waitingOf.get(bucket) ?? 0) + weight);
    return new Promise((resolve, reject) => {
      const settle = resolve as (result: unknown) => void;
      this.#waiting.set(id, { sizeBytes, weight, bucket, resolve: settle, reject });
    });
  }

  /** Rejects all later commands with this error, unless an earlier error already rejects them. */
  refuse(error: StorageError): void {
    this.#refusal ??= error;
  }

  /** The number of commands without a reply. */
  get waiting(): number {
    return this.#waiting.size;
  }

  get refusal(): StorageError | undefined {
    return this.#refusal;
  }

  /** Commits the queued commands, and then ends the writer thread. */
  async close(): Promise<void> {
    this.refuse(
      new StorageError('ServiceUnavailable', 'write to store: the store is being closed'),
    );
    this.#flush();
    this.#worker?.postMessage(STOP, []);
    await this.#ended;
  }

  #flush(): void {
    if (this.#outbox.length === 0 || !this.#worker) return;
    this.#worker.postMessage(this.#outbox, this.#moving);
    this.#outbox = [];
    this.#moving = [];
  }

  #overload({ sizeBytes, weight, bucket }: Load): StorageError | undefined {
    const ofBucket = this.#waitingOf.get(bucket) ?? 0;
    if (ofBucket + weight > MAX_WAITING_OF_BUCKET)
      return slowDown(`${ofBucket} writes to the same bucket`);
    const tooMany = this.#waitingWeight + weight > MAX_WAITING_COMMANDS;
    if (!tooMany && this.#waitingBytes + sizeBytes <= MAX_WAITING_BYTES) return undefined;
    return slowDown(`${this.#waitingWeight} writes`);
  }

  #receive({ replies, garbage, failure }: GroupReply): void {
    if (failure !== undefined) this.refuse(errorOf(failure));
    for (const reply of replies) this.#settle(reply);
    if (garbage.length > 0) this.#hooks.onGarbage(garbage);
    this.#hooks.onCommit();
  }

  #settle(reply: Reply): void {
    const waiting = this.#waiting.get(reply.id);
    if (!waiting) return;
    this.#waiting.delete(reply.id);
    this.#waitingBytes -= waiting.sizeBytes;
    this.#waitingWeight -= waiting.weight;
    const left = (this.#waitingOf.get(waiting.bucket) ?? 0) - waiting.weight;
    if (left > 0) this.#waitingOf.set(waiting.bucket, left);
    else this.#waitingOf.delete(waiting.bucket);
    if ('refusal' in reply) {
      waiting.reject(errorOf(reply.refusal));
    } else {
      waiting.resolve(reply.result);
    }
  }

  /**
   * Rejects all commands after the writer thread has ended. Commands without a reply may or may not have been
   * committed.
   */
  #end(reason: string): void {
    this.refuse(
      new StorageError(
        'ServiceUnavailable',
        `write to store: the writer thread stopped (${reason}); restart Holdfast to write again`,
      ),
    );
    for (const waiting of this.#waiting.values()) if (this.#refusal) waiting.reject(this.#refusal);
    this.#waiting.clear();
  }
}

function slowDown(what: string): StorageError {
  return new StorageError(
    'SlowDown',
    `write to store: ${what} are waiting for the disk; try again later`,
  );
}

function errorOf({ code, message, details }: Refusal): StorageError {
  return new StorageError(code, message, { details });
}
