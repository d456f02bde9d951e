/** Text in headers: HTTP carries bytes, one character each (latin1); the protocol means UTF-8. */

const PLAIN = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/;
const ENCODED_WORD = /=\?utf-8\?([bq])\?([^?]*)\?=/gi;
// A mark of byte order at the start is a character of the value like any other.
const strictUtf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

const CONTROL = /\p{Cc}/gu;

/** UTF-8 text as header bytes. Control characters, which would split an answer, become blanks. */
export function toHeaderBytes(text: string): string {
  return PLAIN.test(text)
    ? text
    : Buffer.from(text.replace(CONTROL, ' '), 'utf8').toString('latin1');
}

/** Header bytes as text: UTF-8 where they are, else latin1. */
export function fromHeaderBytes(bytes: string): string {
  if (PLAIN.test(bytes)) return bytes;
  try {
    return strictUtf8.decode(Buffer.from(bytes, 'latin1'));
  } catch {
    return bytes;
  }
}

/**
 * A user attribute's value as a header (semantics B.16): as it is when it is printable ASCII, else one
 * RFC 2047 word. What itself looks like such a word is wrapped too, so that reading gives back what was written.
 */
export function encodeAttribute(value: string): string {
  if (value === '' || (PLAIN.test(value) && !value.includes('=?'))) return value;
  return `=?UTF-8?B?${Buffer.from(value, 'utf8').toString('base64')}?=`;
}

/** Reads plain ASCII, raw UTF-8 and RFC 2047 words. */
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
