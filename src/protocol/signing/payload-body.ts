/** A request's body as the port takes it: the bytes without their framing, held to what was signed. */

import { type Body, bytesBody, type ChunkOptions } from '../../object-store/body.ts';
import { defined } from '../../base/defined.ts';
import { invariant } from '../../base/errors.ts';
import type { Headers } from '../headers.ts';
import { verifiedPayload } from './verified-payload.ts';
import type { SigningCredentials } from './signing-key.ts';
import type { Verified } from './verify-request.ts';

export interface SignedMessage {
  /** `unified`: with vendor headers under the prefix of the dialect that signed. */
  readonly head: { readonly unified: Headers };
  readonly verified: Pick<Verified<SigningCredentials>, 'dialect' | 'payload' | 'seed'>;
}

export interface PayloadBodyOptions {
  /**
   * With `store` a signed SHA-256 and a checksum are left to the store, which verifies those of the body anyway:
   * hashing twice costs a fifth of a large put. Who reads the bytes without a store must not ask for that.
   */
  readonly hashedBy: 'store' | 'stream';
}

/** Throws the errors that the headers alone show; `read` is called once, when the store opens the body. */
export function payloadBody(
  message: SignedMessage,
  read: (chunks?: ChunkOptions) => AsyncIterable<Uint8Array>,
  options: PayloadBodyOptions = { hashedBy: 'stream' },
): Body {
  const { open, check: _, ...stated } = payloadOf(message, options);
  return { ...stated, replayable: false, open: (chunks) => open(read(chunks)) };
}

/** The same for bytes that are in memory, unframed; they are verified at once. */
export function wholeBody(
  message: SignedMessage,
  bytes: Uint8Array,
  options: PayloadBodyOptions = { hashedBy: 'stream' },
): Body {
  const { sha256, checksum, check } = payloadOf(message, options);
  invariant(check, 'read body: it is framed, and has to be read as a stream');
  check(bytes);
  return { ...bytesBody(bytes), ...defined({ sha256, checksum }) };
}

function payloadOf({ head, verified }: SignedMessage, { hashedBy }: PayloadBodyOptions) {
  const { dialect, payload, seed } = verified;
  return verifiedPayload({ headers: head.unified, dialect, payload, seed, hashedBy });
}
