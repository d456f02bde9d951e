/** IP addresses and ranges in CIDR notation: `203.0.113.0/24`, `2001:db8::/32`, or one address. */

import { BlockList, isIP, SocketAddress } from 'node:net';

export interface IpRange {
  readonly family: 'ipv4' | 'ipv6';
  /** Number of the bits in which its addresses differ. */
  readonly freeBits: number;
  readonly addresses: BlockList;
}

const BITS = { ipv4: 32, ipv6: 128 } as const;
/** Prefix of the IPv6 addresses that stand for IPv4 addresses, `::ffff:0:0/96`. */
const MAPPED_BITS = BITS.ipv6 - BITS.ipv4;

/** Returns undefined for an invalid address or range. A range of mapped addresses is a range of IPv4. */
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

/** IPv4 addresses are only in IPv4 ranges: `::/0` contains every IPv6 address and no IPv4 address. */
export function isWithin({ family, addresses }: IpRange, text: string): boolean {
  const parsed = parseAddress(text);
  return parsed?.family === family && addresses.check(parsed.address, family);
}

interface Address {
  readonly address: string;
  readonly family: IpRange['family'];
  /** The notation, which is IPv6 for a mapped IPv4 address. */
  readonly written: IpRange['family'];
}

/** Returns undefined for an invalid address. Ignores a zone (`fe80::1%eth0`). */
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
