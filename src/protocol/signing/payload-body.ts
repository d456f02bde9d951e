/** A request's body as the port takes it: the bytes without their framing, held to what was signed. */

import type { Body } from '../../object-store/body.ts';
import type { WireHeaders } from '../wire.ts';
import { verifiedPayload } from './verified-payload.ts';
import type { SigningCredentials } from './signing-key.ts';
import type { Verified } from './verify-request.ts';

export interface SignedMessage {
  /** `unified`: with vendor headers under the prefix of the dialect that signed. */
  readonly head: { readonly unified: WireHeaders };
  readonly verified: Pick<Verified<SigningCredentials>, 'dialect' | 'payload' | 'seed'>;
}

/** Throws what the headers alone tell; `read` is called once, when the store opens the body. */
export function payloadBody(
  { head, verified }: SignedMessage,
  read: () => AsyncIterable<Uint8Array>,
): Body {
  const { dialect, payload, seed } = verified;
  const { open, ...stated } = verifiedPayload({ headers: head.unified, dialect, payload, seed });
  return { ...stated, replayable: false, open: () => open(read()) };
}
