/**
 * Converts a request body to the body that `ObjectStore` expects: without chunk framing, and verified against the
 * signature.
 */

import { type Body, bytesBody, type ChunkOptions } from '../../object-store/body.ts';
import { defined } from '../../base/defined.ts';
import { invariant } from '../../base/errors.ts';
import type { Headers } from '../headers.ts';
import { verifiedPayload } from './verified-payload.ts';
import type { SigningCredentials } from './signing-key.ts';
import type { Verified } from './verify-request.ts';

export interface SignedMessage {
  /** The request line and headers. `unified` are the headers with the vendor prefix of the signing dialect. */
  readonly head: { readonly unified: Headers };
  readonly verified: Pick<Verified<SigningCredentials>, 'dialect' | 'payload' | 'seed'>;
}

export interface PayloadBodyOptions {
  /**
   * Which side verifies a signed SHA-256 and a checksum. `store` means that the store verifies them. Hashing twice
   * would take a fifth of the time of a large upload. A caller that reads the bytes without a store must use `stream`.
   */
  readonly hashedBy: 'store' | 'stream';
}

/**
 * Returns the body as a stream that decodes and verifies the bytes from `read`. `read` is called once, when the store
 * opens the body. Throws the errors of `verifiedPayload` for invalid headers.
 */
export function payloadBody(
  message: SignedMessage,
  read: (chunks?: ChunkOptions) => AsyncIterable<Uint8Array>,
  options: PayloadBodyOptions = { hashedBy: 'stream' },
): Body {
  const { open, check: _, ...stated } = payloadOf(message, options);
  return { ...stated, replayable: false, open: (chunks) => open(read(chunks)) };
}

/**
 * Verifies an unframed body in memory and returns it. Throws the errors of `verifiedPayload` and of
 * `VerifiedPayload.check`.
 */
export function wholeBody(
  message: SignedMessage,
  bytes: Uint8Array,
  options: PayloadBodyOptions = { hashedBy: 'stream' },
): Body {
  const { sha256, checksum, check } = payloadOf(message, options);
  invariant(check, 'read body: a chunked body must be read as a stream');
  check(bytes);
  return { ...bytesBody(bytes), ...defined({ sha256, checksum }) };
}

function payloadOf({ head, verified }: SignedMessage, { hashedBy }: PayloadBodyOptions) {
  const { dialect, payload, seed } = verified;
  return verifiedPayload({ headers: head.unified, dialect, payload, seed, hashedBy });
}
