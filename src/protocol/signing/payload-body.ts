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

/**
 * Throws what the headers alone tell; `read` is called once, when the store opens the body. With `hashedBy: 'store'`
 * a signed SHA-256 is left to the store, which verifies `Body.sha256` anyway: hashing it twice costs a fifth of a
 * large put. Who reads the bytes without a store must not ask for that.
 */
export function payloadBody(
  { head, verified }: SignedMessage,
  read: () => AsyncIterable<Uint8Array>,
  { hashedBy }: { readonly hashedBy: 'store' | 'stream' } = { hashedBy: 'stream' },
): Body {
  const { dialect, payload, seed } = verified;
  const { open, ...stated } = verifiedPayload({
    headers: head.unified,
    dialect,
    payload,
    seed,
    hashedBy,
  });
  return { ...stated, replayable: false, open: () => open(read()) };
}
