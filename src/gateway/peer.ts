/** Reads a client's IP address, use of TLS and user agent, before the client is authenticated. */

import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { defined } from '../base/defined.ts';
import type { Caller } from '../object-store/caller.ts';
import { isWithin, parseIpRange } from '../base/ip-range.ts';
import { isSecure } from '../http/listener.ts';
import type { Headers } from '../protocol/headers.ts';

/** The properties of a caller that are known before it is authenticated. */
export type Peer = Pick<Caller, 'secure' | 'sourceIp' | 'userAgent' | 'wire'>;

export type PeerOf = (headers: Headers, request: Pick<IncomingMessage, 'socket'>) => Peer;

/**
 * Returns a function that reads the properties of a client. `trustedProxies` contains the addresses
 * and ranges of proxies whose `X-Forwarded-For` header is trusted. The header is ignored in
 * requests from other clients, because policies can have conditions on the address (RustFS
 * GHSA-fc6g). Throws TypeError for an invalid address or range.
 */
export function peerReader(trustedProxies: readonly string[] = []): PeerOf {
  const ranges = trustedProxies.map((text) => {
    const range = parseIpRange(text);
    if (range === undefined)
      throw new TypeError(`trust proxy ${text}: it is not an IP address or a range`);
    return range;
  });
  const isTrusted = (address: string) => ranges.some((range) => isWithin(range, address));
  return (headers, { socket }) => {
    const tlsVersion = isSecure(socket) ? (socket.getProtocol() ?? undefined) : undefined;
    const referer = headers.get('referer');
    return {
      sourceIp: sourceOf(headers, socket, isTrusted),
      secure: isSecure(socket),
      userAgent: headers.get('user-agent') ?? '',
      wire: defined({ referer, tlsVersion }),
    };
  };
}

/**
 * The address of a client whose address is not known. It matches no `IpAddress` condition and every
 * `NotIpAddress` condition.
 */
const UNKNOWN_SOURCE = '';

/**
 * Returns the last address in `X-Forwarded-For` that is not a trusted proxy, because a client can forge the entries
 * before it. If that entry is not an address, the client's address is unknown. The proxy's address must not be used
 * instead.
 */
function sourceOf(
  headers: Headers,
  { remoteAddress = '' }: Socket,
  isTrusted: (address: string) => boolean,
): string {
  if (!isTrusted(remoteAddress)) return remoteAddress;
  const forwarded = headers.get('x-forwarded-for')?.split(',') ?? [];
  let source = remoteAddress;
  for (const each of forwarded.reverse()) {
    source = forwardedAddress(each.trim());
    if (!isTrusted(source)) return source;
  }
  return source;
}

/**
 * Matches an address with a port, such as `203.0.113.9:5555` (as IIS and Azure write it), and
 * `[2001:db8::1]` with an optional port.
 */
const WITH_PORT = /^(?:\[(?<v6>[^\][]*:[^\][]*)\](?::\d{1,5})?|(?<v4>[^:]+):\d{1,5})$/;

function forwardedAddress(text: string): string {
  const { v4, v6 } = WITH_PORT.exec(text)?.groups ?? {};
  const address = v6 ?? v4 ?? text;
  if (address.includes('/') || parseIpRange(address) === undefined) return UNKNOWN_SOURCE;
  return address;
}
