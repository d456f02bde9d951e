/** Names in listings: with `encoding-type=url` they are percent-encoded, so that any key fits into XML. */

import { words } from '../codecs.ts';
import { assign, invalidArgument, type Member, type Part } from '../message.ts';
import { percentDecode, percentEncodePath } from '../percent.ts';

/** What a lister may ask for beside the port's own request. */
export interface EncodingType {
  readonly encodingType?: 'url';
}

export const encodingTypeWord = words('url');

/** We always ask for it: without it a key with a control character has no representation in XML 1.0. */
export const encodingType: Part<Member<'encodingType', 'url'>> = {
  encode: (_, writer) => void writer.query.push(['encoding-type', 'url']),
  decode: (reader, into) => {
    const asked = reader.query('encoding-type');
    if (asked === undefined) return;
    if (asked !== 'url') throw invalidArgument('encoding-type', asked, 'it must be url');
    assign(into, 'encodingType', 'url');
  },
};

export const asItIs = (name: string): string => name;

/** Services write a blank as `+` or `%20`, and a plus always as `%2B` (semantics B.12). */
const urlDecoded = (name: string): string => percentDecode(name.replaceAll('+', ' '));

/** How names are spelt in a listing. */
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
 * A marker of a page with these names, as they are spelt and as they are read. Ceph RGW percent-encodes the names and not the
 * marker: decoded once more, a `%20` in it would be another name, and its page would come again without end.
 */
export function readMarker(
  marker: string,
  { spelt, read }: { readonly spelt: readonly string[]; readonly read: NameSpelling['read'] },
): string {
  const isPlain = !spelt.includes(marker) && spelt.some((name) => read(name) === marker);
  return isPlain ? marker : read(marker);
}

/** Of an element of a listing, as it is spelt. */
export function nameOf(listed: { readonly key: string } | { readonly prefix: string }): string {
  return 'key' in listed ? listed.key : listed.prefix;
}
