/** Escapes text for a terminal and for a shell. */

import { zonedTimeText } from '../../text/time.ts';

/**
 * Matches characters that a terminal would interpret instead of display: control characters, line separators, and
 * bidirectional controls, which could make one name look like another. Also matches lone surrogates, because UTF-8
 * cannot encode them.
 */
const INVISIBLE =
  /[\p{Cc}\p{Cs}\u{200e}\u{200f}\u{2028}-\u{202e}\u{2066}-\u{2069}\u{61c}\u{feff}]/gu;

const SHORT_ESCAPES: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/**
 * Escapes untrusted text for a terminal. For example, an escape character becomes the text `\x1b` and cannot clear the
 * screen.
 */
export function visible(text: string): string {
  return text.replaceAll(INVISIBLE, (character) => SHORT_ESCAPES[character] ?? escaped(character));
}

function escaped(character: string): string {
  const code = character.charCodeAt(0);
  const hex = code.toString(16);
  return code < 0x100 ? `\\x${hex.padStart(2, '0')}` : `\\u${hex.padStart(4, '0')}`;
}

/** Matches ISO times in messages of the daemon. The preceding words prevent matches in names. */
const MESSAGE_TIME =
  /(?<=\b(?:until|ends|says|is|started) )\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{3})?Z(?=[,;:]| \(|$)/g;

/** Returns a message of the daemon for a terminal: escaped, and with times in the local time zone. */
export function messageText(message: string): string {
  return visible(message.replaceAll(MESSAGE_TIME, (at) => zonedTimeText(Date.parse(at))));
}

/** Quotes the text if necessary, so that a POSIX shell reads it as one literal word. */
export function shellWord(text: string): string {
  if (/^[A-Za-z0-9_@%+=:,./-]+$/.test(text)) return text;
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/**
 * Like `shellWord`, for a command line that is displayed on a terminal and that the user copies. Characters that the
 * terminal would interpret are escaped in `$'…'`. bash, zsh and ksh support this form.
 */
export function copyableWord(text: string): string {
  if (visible(text) === text) return shellWord(text);
  return `$'${text.replaceAll(/['\\]/g, '\\$&').replaceAll(INVISIBLE, bytesEscaped)}'`;
}

function bytesEscaped(character: string): string {
  const bytes = [...Buffer.from(character)].map((byte) => byte.toString(16).padStart(2, '0'));
  return SHORT_ESCAPES[character] ?? bytes.map((byte) => `\\x${byte}`).join('');
}
