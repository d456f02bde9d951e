/** Checks the time of a signature (semantics B.11.1 and B.11.2). */

import { StorageError } from '../../object-store/storage-error.ts';
import { formatIsoDate } from '../dates.ts';
import type { Claims } from './claims.ts';

/**
 * The maximum difference between the time of a signature and the current time: fifteen minutes in both directions, as
 * in S3. The specification does not define a limit.
 */
export const MAX_SKEW_MS = 900_000;

/**
 * Throws RequestTimeTooSkewed if the time of the signature is too far from `now`. For a presigned URL, throws
 * AccessDenied if the URL has expired or is not valid yet.
 */
export function checkTime(claims: Claims, now: number): void {
  const { signedAt, timestamp, expiresSeconds } = claims;
  if (expiresSeconds !== undefined) return checkExpiry(signedAt, expiresSeconds, now);
  checkSkew(signedAt, timestamp, now);
}

/** Throws RequestTimeTooSkewed if `signedAt` and `now` differ by more than MAX_SKEW_MS. */
export function checkSkew(signedAt: number, timestamp: string, now: number): void {
  if (Math.abs(now - signedAt) <= MAX_SKEW_MS) return;
  throw new StorageError(
    'RequestTimeTooSkewed',
    "check time: the difference between the request time and the server's time is too large; check your clock",
    {
      details: {
        RequestTime: timestamp,
        ServerTime: formatIsoDate(now),
        MaxAllowedSkewMilliseconds: MAX_SKEW_MS,
      },
    },
  );
}

function checkExpiry(signedAt: number, expiresSeconds: number, now: number): void {
  if (signedAt > now + MAX_SKEW_MS) {
    throw new StorageError('AccessDenied', 'Request is not valid yet.', {
      details: { ServerTime: formatIsoDate(now) },
    });
  }
  const expiresAt = signedAt + expiresSeconds * 1000;
  if (now <= expiresAt) return;
  throw new StorageError('AccessDenied', 'Request has expired.', {
    details: {
      'X-Amz-Expires': expiresSeconds,
      Expires: formatIsoDate(expiresAt),
      ServerTime: formatIsoDate(now),
    },
  });
}
