/** Parses IP addresses and ranges in CIDR notation: `203.0.113.0/24`, `2001:db8::/32`, or a single address. */

import { BlockList, isIP, SocketAddress } from 'node:net';

export interface IpRange {
  readonly family: 'ipv4' | 'ipv6';
  /** The number of bits in which the addresses of the range differ. */
  readonly freeBits: number;
  readonly addresses: BlockList;
}

const BITS = { ipv4: 32, ipv6: 128 } as const;
/** The length of the prefix `::ffff:0:0/96`. IPv6 addresses with this prefix represent IPv4 addresses. */
const MAPPED_BITS = BITS.ipv6 - BITS.ipv4;

/**
 * Parses an address or a range. Returns undefined if it is invalid. A range of IPv6 addresses that represent IPv4
 * addresses becomes an IPv4 range.
 */
export function parseIpRange(text: string): IpRange | undefined {
  const [, start = '', bits] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(text) ?? [];
  const parsed = parseAddress(start);
  if (parsed === undefined) return undefined;
  const { written } = parsed;
  const prefixBits = bits === undefined ? BITS[written] : Number(bits);
  if (prefixBits > BITS[written]) return undefined;
  const addresses = new BlockList();
  const isMapped = written !== parsed.family;
  if (isMapped && prefixBits < MAPPED_BITS) {
    addresses.addSubnet(`::ffff:${parsed.address}`, prefixBits, 'ipv6');
    return { family: 'ipv6', freeBits: BITS.ipv6 - prefixBits, addresses };
  }
  const { family } = parsed;
  addresses.addSubnet(parsed.address, isMapped ? prefixBits - MAPPED_BITS : prefixBits, family);
  return { family, freeBits: BITS[written] - prefixBits, addresses };
}

/**
 * Returns whether an address is in a range. IPv4 addresses are only in IPv4 ranges: `::/0` contains all IPv6 addresses
 * but no IPv4 address.
 */
export function isWithin({ family, addresses }: IpRange, text: string): boolean {
  const parsed = parseAddress(text);
  return parsed?.family === family && addresses.check(parsed.address, family);
}

interface Address {
  readonly address: string;
  readonly family: IpRange['family'];
  /** The notation of the address, which is IPv6 for an IPv6 address that represents an IPv4 address. */
  readonly written: IpRange['family'];
}

/** Parses an address. Returns undefined if it is invalid. Ignores a zone (`fe80::1%eth0`). */
function parseAddress(text: string): Address | undefined {
  const [address = ''] = text.split('%');
  const version = isIP(address);
  if (version === 0) return undefined;
  if (version === 4) return { address, family: 'ipv4', written: 'ipv4' };
  const normal = new SocketAddress({ address, family: 'ipv6' }).address;
  const mapped = /^::ffff:(\d+(?:\.\d+){3})$/.exec(normal)?.[1];
  return mapped === undefined
    ? { address: normal, family: 'ipv6', written: 'ipv6' }
    : { address: mapped, family: 'ipv4', written: 'ipv6' };
}
