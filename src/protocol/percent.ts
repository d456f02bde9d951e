/**
 * Implements percent-encoding as the protocol defines it (semantics B.11.1): text is decoded only once, and never
 * normalized.
 */

import { StorageError } from '../object-store/storage-error.ts';

const UNRESERVED = /^[A-Za-z0-9\-._~]*$/;
const UNRESERVED_PATH = /^[A-Za-z0-9\-._~/]*$/;
const ESCAPED_BY_US = /[!'()*]/g;

/**
 * Percent-encodes every UTF-8 byte except `A-Za-z0-9-._~`, in upper-case hex. Throws InvalidURI for a lone surrogate.
 */
export function percentEncode(text: string): string {
  if (UNRESERVED.test(text)) return text;
  try {
    return encodeURIComponent(text).replace(
      ESCAPED_BY_US,
      (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
    );
  } catch (cause) {
    throw new StorageError('InvalidURI', 'encode URI: the name is not well-formed Unicode', {
      cause,
    });
  }
}

/**
 * Encodes like `percentEncode` but leaves `/` unchanged. Keys in paths and in `encoding-type=url` listings have this
 * form.
 */
export function percentEncodePath(text: string): string {
  return UNRESERVED_PATH.test(text) ? text : percentEncode(text).replaceAll('%2F', '/');
}

/**
 * Percent-decodes text once. `+` remains a plus sign. Throws InvalidURI for an invalid escape, for bytes that are not
 * UTF-8, and for NUL.
 */
export function percentDecode(text: string): string {
  const decoded = text.includes('%') ? decode(text) : text;
  if (decoded.includes('\0'))
    throw new StorageError('InvalidURI', 'read URI: it must not contain NUL');
  return decoded;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch (cause) {
    throw new StorageError('InvalidURI', 'read URI: it is not valid percent-encoded UTF-8', {
      cause,
    });
  }
}
