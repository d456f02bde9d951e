/**
 * Parses and formats sizes, counts, rates and percentages for the command line, the dashboard and the configuration.
 */

const UNITS = ['B', 'kB', 'MB', 'GB', 'TB', 'PB', 'EB'] as const;
const PREFIXES = ['', 'k', 'm', 'g', 't', 'p', 'e'];

/** Matches digits with an optional fraction. Commas are accepted only where `numberText` writes them. */
const DIGITS = String.raw`(?:(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d*)?|\.\d+)`;
const AMOUNT = new RegExp(String.raw`^(-?${DIGITS}(?:e[+-]?\d+)?)\s*([kmgtpe]?)(i?)b?$`, 'i');
const WHOLE = /^(?:\d{1,3}(?:,\d{3})+|\d+)$/;

/**
 * Parses a number or a size, such as `-1.5`, `5,012`, `10GB`, `2.5 TiB` or `7m`, in any case. Returns bytes for a size,
 * and undefined for any other text. A unit with `i` is a power of 1024; any other unit is a power of 1000.
 */
export function readAmount(text: string): number | undefined {
  const [, digits, prefix = '', binary = ''] = AMOUNT.exec(text.trim()) ?? [];
  if (digits === undefined || (prefix === '' && binary !== '')) return undefined;
  const base = binary === '' ? 1_000 : 1_024;
  const value = Number(digits.replaceAll(',', '')) * base ** PREFIXES.indexOf(prefix.toLowerCase());
  return Number.isFinite(value) ? value : undefined;
}

/**
 * Parses a size as `readAmount` does, and returns whole bytes. Returns undefined if the size is negative or not a safe
 * integer.
 */
export function readSize(text: string): number | undefined {
  const bytes = Math.round(readAmount(text) ?? Number.NaN);
  return Number.isSafeInteger(bytes) && bytes >= 0 && !text.includes('-') ? bytes : undefined;
}

/** Parses a whole number from `least` to `most` (both inclusive), such as `5012` or `5,012`. */
export function readWholeNumber(text: string, least: number, most: number): number | undefined {
  const value = WHOLE.test(text.trim()) ? Number(text.replaceAll(',', '')) : Number.NaN;
  return value >= least && value <= most ? value : undefined;
}

/**
 * Formats a size with up to three significant digits and in decimal units, which disk vendors use: `3.14 GB`, `98 kB`.
 */
export function bytesText(bytes: number): string {
  let [value, unit] = [Math.round(Math.abs(bytes)), 0];
  while (rounded(value) >= 1_000 && unit < UNITS.length - 1) {
    value /= 1_000;
    unit += 1;
  }
  return `${bytes < 0 ? '-' : ''}${rounded(value)} ${UNITS[unit]}`;
}

/** Formats a size so that `readAmount` parses the text to the same number: `1 TB`, `1,234,567,890`. */
export function exactBytesText(bytes: number): string {
  return (
    [bytesText(bytes), numberText(bytes)].find((text) => readAmount(text) === bytes) ??
    String(bytes)
  );
}

function rounded(value: number): number {
  return Number(value.toPrecision(3));
}

/** Formats a rate: `31.4 MB/s`. */
export function rateText(bytesPerSecond: number): string {
  return `${bytesText(bytesPerSecond)}/s`;
}

/**
 * Formats a number with at most two decimals and with thousands separators, in the same way in every locale: `5,012`,
 * `1,234.57`.
 */
export function numberText(value: number): string {
  const [whole = '', fraction] = String(Math.round(value * 100) / 100).split('.');
  const grouped = whole.replaceAll(/\B(?=(?:\d{3})+$)/g, ',');
  return fraction === undefined ? grouped : `${grouped}.${fraction}`;
}

/** Formats a count with its noun: `1 file`, `5,012 files`. */
export function countText(count: number, noun: string): string {
  return `${numberText(count)} ${noun}${count === 1 ? '' : 's'}`;
}

/** Converts a share from 0 to 1 to a percentage. Rounds down, so that only a share of 1 becomes 100. */
export function percentOf(share: number): number {
  // Add a small value before rounding down, because 0.29 × 100 is slightly less than 29 in binary.
  return Math.floor(share * 100 + 1e-9);
}

/** Formats a share from 0 to 1 as a percentage: `62 %`. */
export function percentText(share: number): string {
  return `${percentOf(share)} %`;
}

/** Formats a share of something done as a percentage. A share that is rounded down to 0 % is not shown as zero. */
export function shareText(share: number): string {
  return share > 0 && percentOf(share) === 0 ? 'less than 1 %' : percentText(share);
}
