/**
 * Formats and parses payload modes. A payload mode is the value of the content-sha256 header (semantics B.11.1 and
 * B.11.4).
 */

import { StorageError } from '../../object-store/storage-error.ts';
import type { Dialect } from '../dialect.ts';

export type PayloadMode =
  /** The SHA-256 of the body in lower-case hex. The body is verified against it. */
  | { readonly kind: 'digest'; readonly sha256: string }
  | { readonly kind: 'unsigned' }
  /** An aws-chunked body. Only the content-sha256 header determines this mode; Content-Encoding does not. */
  | { readonly kind: 'chunked'; readonly signed: boolean; readonly trailer: boolean };

export const UNSIGNED_PAYLOAD = 'UNSIGNED-PAYLOAD';
const UNSIGNED_TRAILER = 'STREAMING-UNSIGNED-PAYLOAD-TRAILER';
const DIGEST = /^[0-9a-f]{64}$/;

export function formatPayloadMode(mode: PayloadMode, dialect: Dialect): string {
  if (mode.kind === 'digest') return mode.sha256;
  if (mode.kind === 'unsigned') return UNSIGNED_PAYLOAD;
  if (!mode.signed) return UNSIGNED_TRAILER;
  return `STREAMING-${dialect.algorithm}-PAYLOAD${mode.trailer ? '-TRAILER' : ''}`;
}

/** Parses the value of the content-sha256 header. Throws InvalidArgument for an unknown payload mode. */
export function parsePayloadMode(value: string, dialect: Dialect): PayloadMode {
  if (DIGEST.test(value)) return { kind: 'digest', sha256: value };
  const streaming = `STREAMING-${dialect.algorithm}-PAYLOAD`;
  switch (value) {
    case UNSIGNED_PAYLOAD:
      return { kind: 'unsigned' };
    case UNSIGNED_TRAILER:
      return { kind: 'chunked', signed: false, trailer: true };
    case streaming:
      return { kind: 'chunked', signed: true, trailer: false };
    case `${streaming}-TRAILER`:
      return { kind: 'chunked', signed: true, trailer: true };
    default: {
      const name = `${dialect.headerPrefix}content-sha256`;
      throw new StorageError(
        'InvalidArgument',
        `read ${name}: it must be ${UNSIGNED_PAYLOAD}, a STREAMING- value or 64 characters of lower-case hex`,
        { details: { ArgumentName: name, ArgumentValue: value } },
      );
    }
  }
}
