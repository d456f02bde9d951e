/** Control methods on download links. */

import { defined } from '../../src/base/defined.ts';
import { ControlError } from '../../src/control/control-error.ts';
import type { ObjectStore } from '../../src/object-store/object-store.ts';
import type { ControlHandlers } from '../control-server.ts';
import type { Links } from '../links.ts';
import type { StorageGateway } from '../storage-gateway.ts';

export interface LinkHandlerOptions {
  readonly links: Links;
  /** Of the user who makes links. */
  readonly store: ObjectStore;
  readonly storage: Pick<StorageGateway, 'tlsUrl' | 'url'>;
}

export function linkHandlers({
  links,
  store,
  storage,
}: LinkHandlerOptions): Pick<ControlHandlers, 'links.create' | 'links.revoke'> {
  return {
    'links.create': async ({ origin = storage.tlsUrl ?? storage.url, ...request }) => {
      const at = originOf(origin);
      const made = await links.create({ ...defined(request), origin: at.origin }, store);
      return { ...made, local: LOOPBACK.test(at.hostname) };
    },
    'links.revoke': async () => {
      await links.revoke();
      return {};
    },
  };
}

const LOOPBACK = /^(?:localhost|.*\.localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

/** Throws ControlError BadRequest. */
function originOf(text: string): URL {
  const url = URL.parse(text);
  const extra = url && url.username + url.password + url.search + url.hash;
  if (url && /^https?:$/.test(url.protocol) && url.pathname === '/' && extra === '') return url;
  throw new ControlError(
    'BadRequest',
    `make link: ${JSON.stringify(text)} is not http://HOST[:PORT] or https://HOST[:PORT]`,
  );
}
