/** Detects which dialect a service accepts, by a signed request at the first contact. */

import {
  isStorageError,
  type StorageError,
  type StorageErrorCode,
} from '../object-store/storage-error.ts';
import { TransportError } from '../object-store/transport-error.ts';
import type { Dialect } from '../protocol/dialect.ts';

/** Sends one signed request in this dialect. Rejects as every call does. */
export type Probe = (dialect: Dialect) => Promise<unknown>;

/** Errors that only a service returns that has read the signature, even if it refuses the key. */
const UNDERSTOOD = [
  'ExpiredToken',
  'InvalidAccessKeyId',
  'InvalidToken',
  'RequestTimeTooSkewed',
  'SignatureDoesNotMatch',
] as const satisfies readonly StorageErrorCode[];

/** Errors that show nothing about the signature. The next call probes again. */
const UNAVAILABLE = [
  'InternalError',
  'RequestTimeout',
  'ServiceUnavailable',
  'SlowDown',
] as const satisfies readonly StorageErrorCode[];

/** All clients of one service share it, so that the service is probed once. */
export class DialectChoice {
  readonly #dialects: readonly Dialect[];
  #found: Dialect | undefined;
  #finding: Promise<Dialect> | undefined;

  /** `dialects` is in order of preference. */
  constructor(dialects: readonly Dialect[]) {
    this.#dialects = dialects;
  }

  get found(): Dialect | undefined {
    return this.#found;
  }

  /**
   * Rejects with TransportError `BadResponse` when the service accepts none, and as `probe` does when it does not
   * answer: the next call then asks again.
   */
  async find(endpoint: string, probe: Probe): Promise<Dialect> {
    if (this.#found !== undefined) return this.#found;
    this.#finding ??= this.#ask(endpoint, probe).finally(() => (this.#finding = undefined));
    this.#found = await this.#finding;
    return this.#found;
  }

  async #ask(endpoint: string, probe: Probe): Promise<Dialect> {
    let denied: Dialect | undefined;
    let refusal: StorageError | undefined;
    for (const dialect of this.#dialects) {
      refusal = await refusalOf(probe(dialect));
      if (refusal === undefined || isUnderstood(refusal)) return dialect;
      // Either the key may not list buckets, or the service does not know this signature.
      if (refusal.code === 'AccessDenied') denied ??= dialect;
    }
    if (denied !== undefined) return denied;
    throw unknownProtocol(endpoint, this.#dialects, refusal);
  }
}

/** Returns undefined if the request succeeded. */
async function refusalOf(answered: Promise<unknown>): Promise<StorageError | undefined> {
  try {
    await answered;
    return undefined;
  } catch (error) {
    if (isStorageError(error) && !isStorageError(error, ...UNAVAILABLE)) return error;
    throw error;
  }
}

/** A service that names the region to sign for has read the signature. */
function isUnderstood(refusal: StorageError): boolean {
  return refusal.details['Region'] !== undefined || isStorageError(refusal, ...UNDERSTOOD);
}

function unknownProtocol(
  endpoint: string,
  dialects: readonly Dialect[],
  cause: StorageError | undefined,
): TransportError {
  const signatures = dialects.map(({ algorithm }) => algorithm).join(' nor ');
  const message = `cannot use ${endpoint}: it supports no protocol of Holdfast (neither ${signatures} signatures); check that the endpoint and its port are those of an S3 service`;
  return new TransportError('BadResponse', message, { sent: true, cause });
}
