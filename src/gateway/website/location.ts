/** Creates the `Location` header of a website redirect. */

import type { WebsiteRedirect } from '../../object-store/rules/website.ts';
import type { WebsiteProtocol } from '../../object-store/website.ts';
import { percentEncodePath } from '../../protocol/percent.ts';

/** The protocol and the host that the client used in its request to the website. */
export interface Origin {
  readonly protocol: WebsiteProtocol;
  readonly host: string;
}

/**
 * Returns the location of a redirect by the website configuration. On the same host, the location
 * is a path, so that it is correct behind a proxy too. A path that begins with two slashes would
 * name another host (an open redirect), so it gets the prefix `/.`, which browsers remove.
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
 * Returns the location of a redirect that an object defines, which is a URL or a path.
 * Percent-encodes characters that a header cannot contain. A location that begins with `/` must
 * stay on this host, but browsers treat `//` and `/\` as the start of another host.
 */
export function ownLocation(redirect: string): string {
  const location = redirect.replace(/[^\x21-\x7e]+/gu, encodeURIComponent);
  return location.startsWith('/') ? onThisHost(location.replaceAll('\\', '%5C')) : location;
}

function onThisHost(path: string): string {
  return path.startsWith('//') ? `/.${path}` : path;
}
