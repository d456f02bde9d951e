/**
 * Detects which dialect a service accepts. The first call sends a signed request in each dialect,
 * one after the other, until the service accepts one.
 */

import {
  isStorageError,
  type StorageError,
  type StorageErrorCode,
} from '../object-store/storage-error.ts';
import { TransportError } from '../object-store/transport-error.ts';
import type { Dialect } from '../protocol/dialect.ts';

/**
 * Sends a signed request in this dialect. Rejects with the StorageError or TransportError of the
 * request.
 */
export type Probe = (dialect: Dialect) => Promise<unknown>;

/**
 * Error codes which show that the service has parsed the signature, although it rejects the
 * request.
 */
const UNDERSTOOD = [
  'ExpiredToken',
  'InvalidAccessKeyId',
  'InvalidToken',
  'RequestTimeTooSkewed',
  'SignatureDoesNotMatch',
] as const satisfies readonly StorageErrorCode[];

/** Error codes that show nothing about the signature. The next call probes again. */
const UNAVAILABLE = [
  'InternalError',
  'RequestTimeout',
  'ServiceUnavailable',
  'SlowDown',
] as const satisfies readonly StorageErrorCode[];

/**
 * The detected dialect of a service. All clients of the service share this object, so that the
 * service is probed only once.
 */
export class DialectChoice {
  readonly #dialects: readonly Dialect[];
  #found: Dialect | undefined;
  #finding: Promise<Dialect> | undefined;

  /** Creates a choice that tries the dialects in the given order. */
  constructor(dialects: readonly Dialect[]) {
    this.#dialects = dialects;
  }

  get found(): Dialect | undefined {
    return this.#found;
  }

  /**
   * Returns the dialect that the service accepts. Throws TransportError `BadResponse` if the
   * service accepts no dialect, and the error of `probe` if the service is not available. After an
   * error, the next call probes again.
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
      // Either the key has no permission to list buckets, or the service does not support this
      // signature.
      if (refusal.code === 'AccessDenied') denied ??= dialect;
    }
    if (denied !== undefined) return denied;
    throw unknownProtocol(endpoint, this.#dialects, refusal);
  }
}

/**
 * Returns the service's error, or undefined if the request succeeded. Rejects with errors that show
 * nothing about the signature.
 */
async function refusalOf(answered: Promise<unknown>): Promise<StorageError | undefined> {
  try {
    await answered;
    return undefined;
  } catch (error) {
    if (isStorageError(error) && !isStorageError(error, ...UNAVAILABLE)) return error;
    throw error;
  }
}

/**
 * Returns whether the service has parsed the signature. An error that names the region to sign for
 * also shows this.
 */
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
