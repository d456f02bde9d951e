/**
 * Wraps an object store whose calls fail as a test configures. The oldest matching rule applies to
 * a call.
 */

import type { BulkWriter } from '../../src/object-store/bulk-write.ts';
import type {
  CallOptions,
  ObjectStore,
  PutObjectResult,
} from '../../src/object-store/object-store.ts';
import {
  isStorageError,
  StorageError,
  type StorageErrorCode,
} from '../../src/object-store/storage-error.ts';
import { TransportError, type TransportErrorCode } from '../../src/object-store/transport-error.ts';

export interface FaultyCall {
  /** Performs the call on the wrapped store. */
  readonly run: () => Promise<unknown>;
  readonly store: ObjectStore;
  readonly signal: AbortSignal | undefined;
  /** Reports that the fault occurs. A fault that never returns must call this function itself. */
  readonly reached: () => void;
}

export type Fault = (call: FaultyCall) => Promise<unknown>;
type Operation = keyof ObjectStore;

export interface FaultRule {
  /** Operation that fails. By default, calls of every operation fail. */
  readonly on?: Operation;
  /** Object key whose operations fail. By default, operations on every key fail. */
  readonly key?: string;
  readonly fault: Fault;
  /** Number of calls that fail. The default is 1. */
  readonly times?: number;
}

export interface FaultyStore {
  readonly store: ObjectStore;
  /** Received calls in order, each as `operation key`. */
  readonly calls: readonly string[];
  /**
   * Adds a rule. The returned promise resolves when the fault of the rule occurs for the first
   * time.
   */
  inject(rule: FaultRule): Promise<void>;
  /** Removes all rules, so that later calls succeed. */
  removeFaults(): void;
}

export const failsBeforeSending: Fault = async () => {
  throw new TransportError('ConnectionRefused', 'connect: refused', { sent: false });
};

export const losesTheAnswer: Fault = async ({ run }) => {
  await run();
  throw new TransportError('ConnectionLost', 'read answer: connection lost', { sent: true });
};

export const hangsBeforeSending: Fault = ({ signal, reached }) => {
  reached();
  return forever(signal);
};

/** Performs the write but never returns, as if the client were killed directly after the write. */
export const hangsAfterWriting: Fault = async ({ run, signal, reached }) => {
  await run();
  reached();
  return forever(signal);
};

export function answers(code: StorageErrorCode): Fault {
  return async () => {
    throw new StorageError(code, `the service says ${code}`);
  };
}

export function breaksWith(code: TransportErrorCode): Fault {
  return async () => {
    throw new TransportError(code, `the connection says ${code}`, { sent: true });
  };
}

/**
 * Calls `happens` directly before the request. This simulates another client that changes the
 * bucket after the mirror has made its decision.
 */
export function slipsIn(happens: (store: ObjectStore) => unknown): Fault {
  return async ({ run, store }) => {
    await happens(store);
    return run();
  };
}

export function faultyStore(inner: ObjectStore): FaultyStore {
  const calls: string[] = [];
  let rules: { rule: FaultRule; left: number; met: () => void }[] = [];
  const take = (operation: Operation, key: string) => {
    const found = rules.find(
      ({ rule, left }) =>
        left > 0 && (rule.on ?? operation) === operation && (rule.key ?? key) === key,
    );
    if (!found) return undefined;
    found.left--;
    return { fault: found.rule.fault, reached: found.met };
  };
  const call = (
    operation: Operation,
    key: string,
    run: () => Promise<unknown>,
    options?: CallOptions,
  ) => {
    calls.push(`${operation} ${key}`.trim());
    const met = take(operation, key);
    if (!met) return run();
    const { fault, reached } = met;
    return fault({ run, store: inner, signal: options?.signal, reached }).finally(reached);
  };
  /** Applies the rules for `putObject` to each object of a bulk write. */
  const faultyWriter = (writer: BulkWriter): BulkWriter => ({
    limits: writer.limits,
    putObjects: ({ bucket, objects }, options) =>
      Promise.all(
        objects.map(async (object) => {
          const run = async () => {
            const [outcome] = await writer.putObjects({ bucket, objects: [object] }, options);
            if (isStorageError(outcome)) throw outcome;
            return outcome;
          };
          const put = call('putObject', object.key, run, options) as Promise<PutObjectResult>;
          return put.catch(outcomeOf);
        }),
      ),
  });
  const store = new Proxy(inner, {
    get(target, name) {
      if (name === 'bulkWriter') return target.bulkWriter && faultyWriter(target.bulkWriter);
      const operation = name as Operation;
      return (request: object, options?: CallOptions) => {
        const method = target[operation] as (request: object, options?: CallOptions) => unknown;
        const key = String(Reflect.get(request, 'key') ?? '');
        return call(operation, key, async () => method.call(target, request, options), options);
      };
    },
  });
  return {
    store,
    calls,
    inject(rule) {
      const { promise, resolve } = Promise.withResolvers<void>();
      rules.push({ rule, left: rule.times ?? 1, met: resolve });
      return promise;
    },
    removeFaults() {
      rules = [];
    },
  };
}

/**
 * Returns a storage error as the result of one object. Throws any other error, which makes the
 * whole bulk write fail.
 */
function outcomeOf(error: unknown): StorageError {
  if (isStorageError(error)) return error;
  throw error;
}

function forever(signal: AbortSignal | undefined): Promise<never> {
  return new Promise((_, reject) => {
    const stop = () => reject(signal?.reason as Error);
    if (signal?.aborted) stop();
    else signal?.addEventListener('abort', stop, { once: true });
  });
}
