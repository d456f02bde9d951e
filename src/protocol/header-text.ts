/**
 * Encodes and decodes text in headers. HTTP parsers return one character per byte (latin1), but the protocol uses
 * UTF-8.
 */

const PLAIN = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/;
const ENCODED_WORD = /=\?utf-8\?([bq])\?([^?]*)\?=/gi;
// `ignoreBOM` keeps a leading byte order mark, because it is part of the value.
const strictUtf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

const CONTROL = /\p{Cc}/gu;

/**
 * Encodes text as UTF-8 header bytes, one character per byte. Replaces control characters with spaces, because they
 * could be used to split a response.
 */
export function toHeaderBytes(text: string): string {
  return PLAIN.test(text)
    ? text
    : Buffer.from(text.replace(CONTROL, ' '), 'utf8').toString('latin1');
}

/** Decodes header bytes as UTF-8. Bytes that are not valid UTF-8 are decoded as latin1. */
export function fromHeaderBytes(bytes: string): string {
  if (PLAIN.test(bytes)) return bytes;
  try {
    return strictUtf8.decode(Buffer.from(bytes, 'latin1'));
  } catch {
    return bytes;
  }
}

/**
 * Encodes the value of a user metadata header (semantics B.16). Printable ASCII is left unchanged. Any other value
 * becomes an RFC 2047 encoded word. A value that contains `=?`, or that starts or ends with a space, is also encoded so
 * that it survives a round trip.
 */
export function encodeAttribute(value: string): string {
  if (value === '' || (PLAIN.test(value) && !value.includes('=?'))) return value;
  return `=?UTF-8?B?${Buffer.from(value, 'utf8').toString('base64')}?=`;
}

/**
 * Decodes the value of a user metadata header. The value may be plain ASCII, raw UTF-8, or RFC 2047 encoded words in
 * UTF-8.
 */
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
