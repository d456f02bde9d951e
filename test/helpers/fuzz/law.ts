/**
 * A property test of a parser. The normal test run checks a few inputs, and `npm run test:fuzz`
 * checks inputs for several minutes.
 */

import type * as fc from 'fast-check';

import { ClusterError } from '../../../src/cluster/cluster-error.ts';
import { StorageError } from '../../../src/object-store/storage-error.ts';

export interface Law {
  readonly claim: string;
  readonly property: fc.IRawProperty<unknown>;
  /** Number of random inputs in the normal test run. A slow property has fewer. */
  readonly runs: number;
}

/**
 * Returns the result of `work`, or undefined if `work` refuses its input with a protocol error.
 * InternalError is not a refusal.
 */
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

/** Rethrows the error unless it is a protocol error other than InternalError. */
export function acceptRefusal(error: unknown): undefined {
  if (error instanceof StorageError && error.code !== 'InternalError') return undefined;
  if (error instanceof ClusterError && error.code !== 'ServerException') return undefined;
  throw error;
}
