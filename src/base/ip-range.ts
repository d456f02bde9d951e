/** Addresses and ranges as conditions name them: `203.0.113.0/24`, `2001:db8::/32`, or one address. */

const ADDRESS_BITS = 128;
/** An IPv4 address is the IPv6 one that it is mapped to, so that `::ffff:192.0.2.1` is 192.0.2.1. */
const MAPPED_BITS = 96;
const V4_BITS = 32n;
const MAPPED_PREFIX = 0xffffn << V4_BITS;

export interface IpRange {
  /** The bits that all its addresses have in common. */
  readonly prefix: bigint;
  readonly freeBits: bigint;
}

export function parseIpRange(text: string): IpRange | undefined {
  const [, address = '', bits] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(text) ?? [];
  const value = parseAddress(address);
  if (value === undefined) return undefined;
  const skipped = isV4(address) ? MAPPED_BITS : 0;
  const prefixBits = bits === undefined ? ADDRESS_BITS : skipped + Number(bits);
  if (prefixBits > ADDRESS_BITS) return undefined;
  const freeBits = BigInt(ADDRESS_BITS - prefixBits);
  return { prefix: value >> freeBits, freeBits };
}

/** IPv4 addresses are in ranges of IPv4 alone: `::/0` is all of IPv6, and is no wider than who writes it means. */
export function isWithin({ prefix, freeBits }: IpRange, address: string): boolean {
  const value = parseAddress(address);
  if (value === undefined || value >> freeBits !== prefix) return false;
  return freeBits <= V4_BITS || value >> V4_BITS !== 0xffffn;
}

/** Also where it is written as one of mapped addresses, `::ffff:0:0/96`. */
export function isV4Range({ prefix, freeBits }: IpRange): boolean {
  return freeBits <= V4_BITS && (prefix << freeBits) >> V4_BITS === 0xffffn;
}

function isV4(address: string): boolean {
  return !address.includes(':');
}

/** Undefined for what is no address. A zone (`fe80::1%eth0`) does not count. */
function parseAddress(address: string): bigint | undefined {
  const [text = ''] = address.split('%');
  if (isV4(text)) {
    const value = parseV4(text);
    return value === undefined ? undefined : MAPPED_PREFIX | value;
  }
  return parseV6(text);
}

function parseV4(text: string): bigint | undefined {
  const parts = text.split('.');
  if (parts.length !== 4 || !parts.every((part) => /^(?:0|[1-9]\d{0,2})$/.test(part))) {
    return undefined;
  }
  const bytes = parts.map(Number);
  if (bytes.some((byte) => byte > 255)) return undefined;
  return bytes.reduce((value, byte) => (value << 8n) | BigInt(byte), 0n);
}

const GROUPS = 8;

function parseV6(text: string): bigint | undefined {
  const halves = text.split('::');
  if (halves.length > 2) return undefined;
  const groups = halves.map((half) => (half === '' ? [] : groupsOf(half)));
  const [head, tail] = groups;
  if (head === undefined || groups.includes(undefined)) return undefined;
  if (halves.length === 1) return head.length === GROUPS ? join(head) : undefined;
  const missing = GROUPS - head.length - (tail?.length ?? 0);
  if (missing < 1) return undefined;
  return join([...head, ...Array<bigint>(missing).fill(0n), ...(tail ?? [])]);
}

/** The last may be an IPv4 address, which is two. */
function groupsOf(half: string): readonly bigint[] | undefined {
  const groups: bigint[] = [];
  const parts = half.split(':');
  for (const [index, part] of parts.entries()) {
    const v4 = index === parts.length - 1 && part.includes('.') ? parseV4(part) : undefined;
    if (v4 !== undefined) groups.push(v4 >> 16n, v4 & 0xffffn);
    else if (/^[\da-f]{1,4}$/i.test(part)) groups.push(BigInt(`0x${part}`));
    else return undefined;
  }
  return groups;
}

function join(groups: readonly bigint[]): bigint {
  return groups.reduce((value, group) => (value << 16n) | group, 0n);
}
