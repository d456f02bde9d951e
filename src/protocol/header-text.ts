/**
 * Encodes and decodes text in headers. HTTP parsers return one character per byte (latin1), but the protocol uses UTF-8.
 */

const PLAIN = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/;
const ENCODED_WORD = /=\?utf-8\?([bq])\?([^?]*)\?=/gi;
// A byte order mark at the beginning is part of the value, so the decoder must not remove it.
const strictUtf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

const CONTROL = /\p{Cc}/gu;

/**
 * Encodes text as UTF-8 header bytes, one character per byte. Replaces control characters, which could split a response,
 * with spaces.
 */
export function toHeaderBytes(text: string): string {
  return PLAIN.test(text)
    ? text
    : Buffer.from(text.replace(CONTROL, ' '), 'utf8').toString('latin1');
}

/** Decodes header bytes as UTF-8 or, if they are not valid UTF-8, as latin1. */
export function fromHeaderBytes(bytes: string): string {
  if (PLAIN.test(bytes)) return bytes;
  try {
    return strictUtf8.decode(Buffer.from(bytes, 'latin1'));
  } catch {
    return bytes;
  }
}

/**
 * Encodes the value of a user attribute (semantics B.16). Printable ASCII is unchanged, and any other value becomes an RFC
 * 2047 encoded word. A value that contains `=?`, or that begins or ends with a space, is encoded, too, so that decoding
 * restores it.
 */
export function encodeAttribute(value: string): string {
  if (value === '' || (PLAIN.test(value) && !value.includes('=?'))) return value;
  return `=?UTF-8?B?${Buffer.from(value, 'utf8').toString('base64')}?=`;
}

/** Decodes the value of a user attribute from plain ASCII, raw UTF-8, or RFC 2047 encoded words in UTF-8. */
export function decodeAttribute(header: string): string {
  if (!header.includes('=?')) return fromHeaderBytes(header);
  const joined = header.replace(/\?=[ \t]+=\?/g, '?==?');
  return joined.replace(ENCODED_WORD, (word, kind: string, payload: string) =>
    kind.toLowerCase() === 'b'
      ? decodeUtf8(Buffer.from(payload, 'base64'), word)
      : decodeQ(payload),
  );
}

function decodeQ(payload: string): string {
  const bytes = payload
    .replaceAll('_', ' ')
    .replace(/=([0-9A-Fa-f]{2})/g, (_, hex: string) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    );
  return fromHeaderBytes(bytes);
}

function decodeUtf8(bytes: Uint8Array, otherwise: string): string {
  try {
    return strictUtf8.decode(bytes);
  } catch {
    return otherwise;
  }
}
