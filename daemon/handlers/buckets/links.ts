/**
 * Implements the control methods for presigned URLs. URLs for the embedded store are signed with separate keys. URLs
 * for a target are signed with the access key that its jobs use.
 */

import { defined } from '../../../src/base/defined.ts';
import type { Clock } from '../../../src/base/clock.ts';
import { ControlError } from '../../../src/control/control-error.ts';
import type { Params, Result } from '../../../src/control/messages.ts';
import type { Links } from '../../services/links.ts';
import type { StorageGateway } from '../../services/storage-gateway.ts';
import type { TargetContext, TargetHandlers } from './at-target.ts';

export interface LinkHandlerOptions {
  readonly links: Links;
  readonly storage: Pick<StorageGateway, 'tlsUrl' | 'url'>;
  readonly clock: Clock;
}

export function linkHandlers({
  links,
  storage,
  clock,
}: LinkHandlerOptions): TargetHandlers<'links.create' | 'links.revoke'> {
  return {
    'links.create': async (params, context) => {
      if (context.target) return linkAt(context, params, clock.now());
      const { origin = storage.tlsUrl ?? storage.url, ...request } = params;
      const at = originOf(origin);
      const made = await links.create({ ...defined(request), origin: at.origin }, context.store);
      return { ...made, local: LOOPBACK.test(at.hostname) };
    },
    'links.revoke': async () => {
      await links.revoke();
      return {};
    },
  };
}

/**
 * Creates a presigned URL for a target. It is signed with the target's access key, so it becomes invalid when the
 * key does.
 */
async function linkAt(
  { store, target, signal }: Extract<TargetContext, { readonly target: object }>,
  { origin, does, expiresSeconds, ...params }: Params<'links.create'>,
  now: number,
): Promise<Result<'links.create'>> {
  if (origin !== undefined) {
    const reason = `URLs of target ${target.name} begin with ${target.endpoint}`;
    throw new ControlError('BadRequest', `cannot create a presigned URL at ${origin}: ${reason}`);
  }
  const { bucket, key, versionId } = params;
  const ref = defined({ bucket, key, versionId });
  // Signing a URL sends no request, so this request checks that the object exists.
  if (does === 'get') await store.headObject(ref, { signal });
  const url = await store.presign({
    ...ref,
    method: does === 'get' ? 'GET' : 'PUT',
    expiresSeconds,
  });
  const local = LOOPBACK.test(new URL(target.endpoint).hostname);
  return { url, expiresAt: Math.floor(now / 1000) * 1000 + expiresSeconds * 1000, local };
}

const LOOPBACK = /^(?:localhost|.*\.localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

/** Parses an origin without path, query and user name. Throws ControlError `BadRequest`. */
function originOf(text: string): URL {
  const url = URL.parse(text);
  const extra = url && url.username + url.password + url.search + url.hash;
  if (url && /^https?:$/.test(url.protocol) && url.pathname === '/' && extra === '') return url;
  throw new ControlError(
    'BadRequest',
    `cannot create a presigned URL: ${JSON.stringify(text)} is not http(s)://HOST[:PORT]`,
  );
}
