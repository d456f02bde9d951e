/** One law of a parser, to be run a few times in the tests and for minutes by `npm run test:fuzz`. */

import type * as fc from 'fast-check';

import { ClusterError } from '../../../src/cluster/cluster-error.ts';
import { StorageError } from '../../../src/object-store/storage-error.ts';

export interface Law {
  readonly claim: string;
  readonly property: fc.IRawProperty<unknown>;
  /** How often the tests try it; those that cost more are tried less. */
  readonly runs: number;
}

/** The result of `work`, or undefined if it refuses its input with an error of the protocol that is not an internal one. */
export function unlessRefused<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    return acceptRefusal(error);
  }
}

export async function unlessRefusedLater<T>(work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    return acceptRefusal(error);
  }
}

/** Rethrows every error but a refusal of the protocol. */
export function acceptRefusal(error: unknown): undefined {
  if (error instanceof StorageError && error.code !== 'InternalError') return undefined;
  if (error instanceof ClusterError && error.code !== 'ServerException') return undefined;
  throw error;
}
