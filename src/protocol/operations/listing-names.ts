/**
 * Encodes and decodes names in listings. With `encoding-type=url`, names are percent-encoded so that XML can represent
 * any key.
 */

import { words } from '../codecs.ts';
import { assign, invalidArgument, type Member, type Part } from '../message.ts';
import { percentDecode, percentEncodePath } from '../percent.ts';

/** The `encoding-type` parameter of a listing request. `ObjectStore` does not have this parameter. */
export interface EncodingType {
  readonly encodingType?: 'url';
}

export const encodingTypeWord = words('url');

/**
 * The `encoding-type` parameter. The client always sends it, because XML 1.0 cannot represent control characters in
 * keys.
 */
export const encodingType: Part<Member<'encodingType', 'url'>> = {
  encode: (_, writer) => void writer.query.push(['encoding-type', 'url']),
  decode: (reader, into) => {
    const requested = reader.query('encoding-type');
    if (requested === undefined) return;
    if (requested !== 'url') throw invalidArgument('encoding-type', requested, 'it must be url');
    assign(into, 'encodingType', 'url');
  },
};

export const asItIs = (name: string): string => name;

/**
 * Decodes a name in a listing. Services encode a space as `+` or `%20`, and a plus sign always as `%2B` (semantics
 * B.12).
 */
const urlDecoded = (name: string): string => percentDecode(name.replaceAll('+', ' '));

/** Encodes and decodes the names of a listing. */
export interface NameSpelling {
  readonly write: (name: string) => string;
  readonly read: (name: string) => string;
}

export function nameSpelling(encoding: 'url' | undefined): NameSpelling {
  return encoding === 'url'
    ? { write: percentEncodePath, read: urlDecoded }
    : { write: asItIs, read: asItIs };
}

/**
 * Decodes the pagination marker of a page. `spelt` are the encoded names in the page. Ceph RGW encodes the names but
 * not the marker. Decoding an unencoded marker that contains `%20` would yield a different name, and the client would
 * request the same page again and again.
 */
export function readMarker(
  marker: string,
  { spelt, read }: { readonly spelt: readonly string[]; readonly read: NameSpelling['read'] },
): string {
  const isPlain = !spelt.includes(marker) && spelt.some((name) => read(name) === marker);
  return isPlain ? marker : read(marker);
}

/** Returns the name of a listing entry as it appears in the document. */
export function nameOf(listed: { readonly key: string } | { readonly prefix: string }): string {
  return 'key' in listed ? listed.key : listed.prefix;
}
