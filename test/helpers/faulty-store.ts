/** A real store whose calls fail as told: each fault is named after what goes wrong, and used up in order. */

import type { CallOptions, ObjectStore } from '../../src/object-store/object-store.ts';
import { StorageError, type StorageErrorCode } from '../../src/object-store/storage-error.ts';
import { TransportError, type TransportErrorCode } from '../../src/object-store/transport-error.ts';

export interface FaultyCall {
  /** Has the real store do it. */
  readonly run: () => Promise<unknown>;
  readonly store: ObjectStore;
  readonly signal: AbortSignal | undefined;
  /** To be called by a fault that never ends: it has come to where it stays. */
  readonly reached: () => void;
}

export type Fault = (call: FaultyCall) => Promise<unknown>;
type Operation = keyof ObjectStore;

export interface FaultRule {
  /** Every operation, when absent. */
  readonly on?: Operation;
  /** Every key, when absent. */
  readonly key?: string;
  readonly fault: Fault;
  /** How many calls it meets: one, unless told. */
  readonly times?: number;
}

export interface FaultyStore {
  readonly store: ObjectStore;
  /** `operation key`, in the order of the calls. */
  readonly calls: readonly string[];
  /** Resolves when the fault has done its harm for the first time. */
  inject(rule: FaultRule): Promise<void>;
  /** From now on all goes well. */
  mend(): void;
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

/** As a kill right after the write: it is done, and nobody is told. */
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

/** Something happens between the decision and the request. */
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
  const store = new Proxy(inner, {
    get(target, name) {
      const operation = name as Operation;
      return (request: object, options?: CallOptions) => {
        const key = String(Reflect.get(request, 'key') ?? '');
        calls.push(`${operation} ${key}`.trim());
        const method = target[operation] as (request: object, options?: CallOptions) => unknown;
        const run = async () => method.call(target, request, options);
        const met = take(operation, key);
        if (!met) return run();
        const { fault, reached } = met;
        return fault({ run, store: target, signal: options?.signal, reached }).finally(reached);
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
    mend() {
      rules = [];
    },
  };
}

function forever(signal: AbortSignal | undefined): Promise<never> {
  return new Promise((_, reject) => {
    const stop = () => reject(signal?.reason as Error);
    if (signal?.aborted) stop();
    else signal?.addEventListener('abort', stop, { once: true });
  });
}
