/**
 * Finds the proxy for an endpoint in the target's settings or in the environment variables that
 * curl uses.
 */

import { BlockList, isIP } from 'node:net';

export interface Proxy {
  /** The URL of the proxy, without credentials. */
  readonly url: URL;
  /** The percent-decoded `user:password`. Absent if the URL has neither. */
  readonly credentials?: string;
}

export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Returns the proxy for an endpoint, or undefined for a direct connection. `setting` is an http or
 * https URL, or `none` for no proxy. Without a setting, the environment decides: `http_proxy` or
 * `https_proxy` according to the endpoint's scheme, then `all_proxy`, unless `no_proxy` contains
 * the host. Lower-case names take precedence. The environment does not apply to loopback addresses,
 * because no proxy could reach them. Throws TypeError for an invalid proxy URL.
 */
export function proxyFor(
  endpoint: URL,
  setting: string | undefined,
  environment: Environment,
): Proxy | undefined {
  if (setting === 'none') return undefined;
  if (setting !== undefined) return parseProxy(setting, 'the proxy setting');
  const host = hostOf(endpoint);
  if (isLoopback(host) || isExcepted(host, variable(environment, 'no_proxy'))) return undefined;
  const scheme = endpoint.protocol === 'https:' ? 'https_proxy' : 'http_proxy';
  const found = variable(environment, scheme) || variable(environment, 'all_proxy');
  if (!found) return undefined;
  const url = found.includes('://') ? found : `http://${found}`;
  return parseProxy(url, 'the proxy of the environment');
}

function variable(environment: Environment, name: string): string | undefined {
  return environment[name] ?? environment[name.toUpperCase()];
}

/** Parses a proxy URL. `origin` says in the error message where the URL comes from. */
function parseProxy(text: string, origin: string): Proxy {
  const given = URL.parse(text);
  const credentials = given === null ? undefined : credentialsOf(given);
  if (!given || !/^https?:$/.test(given.protocol) || credentials === undefined) {
    // The message omits the URL, because it may contain a password.
    throw new TypeError(`${origin} must be http://HOST[:PORT] or https://HOST[:PORT]`);
  }
  const url = new URL(given.origin);
  return credentials === ':' ? { url } : { url, credentials };
}

/**
 * Returns `user:password`, or `:` if the URL has neither. Returns undefined for invalid
 * percent-encoding.
 */
function credentialsOf({ username, password }: URL): string | undefined {
  try {
    return `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  } catch {
    return undefined;
  }
}

/** Returns the host name without the brackets of an IPv6 address and without a trailing dot. */
export function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[(.*)\]$/, '$1').replace(/(?<=.)\.$/, '');
}

export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));
}

/**
 * Returns whether `list`, the value of `no_proxy`, contains the host. The entries of the list are IP addresses, ranges
 * such as 10.0.0.0/8, and host names. A host name also matches its subdomains. `*` matches all hosts.
 */
function isExcepted(host: string, list = ''): boolean {
  return list
    .split(/[\s,]+/)
    .filter((entry) => entry !== '')
    .some((entry) => entry === '*' || (isIP(host) ? coversAddress : coversName)(entry, host));
}

function coversName(entry: string, host: string): boolean {
  const name = entry
    .toLowerCase()
    .replace(/^\./, '')
    .replace(/(?<=.)\.$/, '');
  return host === name || host.endsWith(`.${name}`);
}

function coversAddress(entry: string, host: string): boolean {
  const [address = '', bits] = entry.replace(/^\[(.*)\]$/, '$1').split('/');
  const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
  if (isIP(address) === 0 || isIP(address) !== isIP(host)) return false;
  const width = bits === undefined ? (family === 'ipv6' ? 128 : 32) : Number(bits);
  if (!Number.isInteger(width) || width < 0 || width > (family === 'ipv6' ? 128 : 32)) return false;
  const range = new BlockList();
  range.addSubnet(address, width, family);
  return range.check(host, family);
}
