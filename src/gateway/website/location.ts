/** Where a website sends a client, as the value of a `Location` header. */

import type { WebsiteRedirect } from '../../object-store/rules/website.ts';
import type { WebsiteProtocol } from '../../object-store/website.ts';
import { percentEncodePath } from '../../protocol/percent.ts';

/** As the client addressed us. */
export interface Origin {
  readonly protocol: WebsiteProtocol;
  readonly host: string;
}

/**
 * On the same host it is a path, so that it also holds behind a proxy. A path of two slashes would name another host
 * (an open redirect): it gets `/.` in front, which browsers take away.
 */
export function locationOf(redirect: WebsiteRedirect, origin: Origin): string {
  const { protocol, hostName, replacement = '', path } = redirect;
  const location = `/${encodeURI(replacement)}${percentEncodePath(path)}`;
  if (protocol === undefined && hostName === undefined) {
    return onThisHost(location);
  }
  return `${protocol ?? origin.protocol}://${hostName ?? origin.host}${location}`;
}

/**
 * Of an object's own redirect, which is a URL or a path already: what no header can carry is encoded. What begins with `/` stays on
 * this host: browsers read `//` and `/\\` as the start of another one.
 */
export function ownLocation(redirect: string): string {
  const location = redirect.replace(/[^\x21-\x7e]+/gu, encodeURIComponent);
  return location.startsWith('/') ? onThisHost(location.replaceAll('\\', '%5C')) : location;
}

function onThisHost(path: string): string {
  return path.startsWith('//') ? `/.${path}` : path;
}
