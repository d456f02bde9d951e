/** Formats names, sizes, counts, durations and times for people. */

import prettyBytes from 'pretty-bytes';

/**
 * Characters that a terminal would interpret instead of display: control characters, line separators, and bidirectional
 * controls, which could make a name look like another one. Also lone surrogates, which UTF-8 cannot encode.
 */
const INVISIBLE =
  /[\p{Cc}\p{Cs}\u{200e}\u{200f}\u{2028}-\u{202e}\u{2066}-\u{2069}\u{61c}\u{feff}]/gu;

const SHORT_ESCAPES: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/** Escapes untrusted text for a terminal: an escape character becomes the text `\x1b` and cannot clear the screen. */
export function visible(text: string): string {
  return text.replaceAll(INVISIBLE, (character) => SHORT_ESCAPES[character] ?? escaped(character));
}

function escaped(character: string): string {
  const code = character.charCodeAt(0);
  const hex = code.toString(16);
  return code < 0x100 ? `\\x${hex.padStart(2, '0')}` : `\\u${hex.padStart(4, '0')}`;
}

/** ISO times in messages of the daemon. The words before them exclude times in names. */
const MESSAGE_TIME =
  /(?<=\b(?:until|ends|says|is) )\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{3})?Z(?=[,;:]| \(|$)/g;

/** Returns a message of the daemon for a terminal: escaped, and with times in the local time zone. */
export function messageText(message: string): string {
  return visible(message.replaceAll(MESSAGE_TIME, (at) => zonedTimeText(Date.parse(at))));
}

/** Returns a size in decimal units, as file managers and disk vendors use them: `3.14 GB`. */
export function bytesText(bytes: number): string {
  return prettyBytes(bytes);
}

/** Returns a number with thousands separators, independent of the locale: `5,012`. */
export function numberText(value: number): string {
  return String(value).replaceAll(/\B(?=(?:\d{3})+$)/g, ',');
}

/** Returns a count with its noun: `1 file`, `5,012 files`. */
export function countText(count: number, noun: string): string {
  return `${numberText(count)} ${noun}${count === 1 ? '' : 's'}`;
}

/** Returns a duration in one or two units: `0.4 s`, `21 s`, `2 min 5 s`, `3 h 4 min`, `5 d 2 h`. */
export function durationText(ms: number): string {
  const seconds = ms / 1_000;
  if (seconds < 9.95) return `${seconds.toFixed(1)} s`;
  const whole = Math.round(seconds);
  if (whole < 60) return `${whole} s`;
  if (whole < 3_600) return pair(whole, ['min', 60], ['s', 1]);
  if (whole < 86_400) return pair(whole, ['h', 3_600], ['min', 60]);
  return pair(whole, ['d', 86_400], ['h', 3_600]);
}

function pair(seconds: number, large: [string, number], small: [string, number]): string {
  const rest = Math.floor((seconds % large[1]) / small[1]);
  const first = `${Math.floor(seconds / large[1])} ${large[0]}`;
  return rest === 0 ? first : `${first} ${rest} ${small[0]}`;
}

/** Returns a date and time in the local time zone: `2026-11-21 14:03:22`. */
export function timeText(at: number): string {
  const date = new Date(at);
  const day = [date.getFullYear(), two(date.getMonth() + 1), two(date.getDate())].join('-');
  return `${day} ${clockText(at)}`;
}

/** Returns a date and time in the local time zone, with the zone: `2026-11-21 14:03:22 +01:00`. */
export function zonedTimeText(at: number): string {
  const minutes = -new Date(at).getTimezoneOffset();
  const ahead = Math.abs(minutes);
  const zone = [Math.floor(ahead / 60), ahead % 60].map(two).join(':');
  return `${timeText(at)} ${minutes < 0 ? '-' : '+'}${zone}`;
}

/** Returns a time of day in the local time zone: `14:03:22`. */
export function clockText(at: number): string {
  const date = new Date(at);
  return [date.getHours(), date.getMinutes(), date.getSeconds()].map(two).join(':');
}

function two(value: number): string {
  return String(value).padStart(2, '0');
}

/** Quotes the text, if necessary, so that a POSIX shell reads it as one literal word. */
export function shellWord(text: string): string {
  if (/^[A-Za-z0-9_@%+=:,./-]+$/.test(text)) return text;
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
