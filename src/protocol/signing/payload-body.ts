/** Converts the body of a request to the body that the port expects: unframed, and verified against the signature. */

import { type Body, bytesBody, type ChunkOptions } from '../../object-store/body.ts';
import { defined } from '../../base/defined.ts';
import { invariant } from '../../base/errors.ts';
import type { Headers } from '../headers.ts';
import { verifiedPayload } from './verified-payload.ts';
import type { SigningCredentials } from './signing-key.ts';
import type { Verified } from './verify-request.ts';

export interface SignedMessage {
  /** `unified` are the headers with the vendor prefix of the signing dialect. */
  readonly head: { readonly unified: Headers };
  readonly verified: Pick<Verified<SigningCredentials>, 'dialect' | 'payload' | 'seed'>;
}

export interface PayloadBodyOptions {
  /**
   * With `store`, the store verifies a signed SHA-256 and a checksum, because hashing twice takes a fifth of the time of a
   * large put. A caller that reads the bytes without a store must use `stream`.
   */
  readonly hashedBy: 'store' | 'stream';
}

/** Throws the errors of the headers. `read` is called once, when the store opens the body. */
export function payloadBody(
  message: SignedMessage,
  read: (chunks?: ChunkOptions) => AsyncIterable<Uint8Array>,
  options: PayloadBodyOptions = { hashedBy: 'stream' },
): Body {
  const { open, check: _, ...stated } = payloadOf(message, options);
  return { ...stated, replayable: false, open: (chunks) => open(read(chunks)) };
}

/** Returns a body for unframed bytes in memory, which are verified at once. */
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
