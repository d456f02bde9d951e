/** Sizes with units: `25TiB`, `500 GB`, `1048576`. */

const SIZE = /^(\d{1,15})(?:\.(\d{1,3}))?\s*([kKmMgGtT]i?)?[bB]?$/;
const POWERS: Readonly<Record<string, number>> = { k: 1, m: 2, g: 3, t: 4 };

/** Returns the size in bytes; undefined if the text is not a size, or exceeds the safe integers. */
export function parseByteSize(text: string): number | undefined {
  const match = SIZE.exec(text.trim());
  if (match === null) return undefined;
  const [, whole, fraction = '', unit = ''] = match;
  const base = unit.endsWith('i') ? 1024 : 1000;
  const factor = base ** (POWERS[unit.charAt(0).toLowerCase()] ?? 0);
  const bytes = Math.round(Number(`${whole}.${fraction || 0}`) * factor);
  return Number.isSafeInteger(bytes) ? bytes : undefined;
}
