/** Shows the version under the cursor: its details, its lock, and the actions that the lock allows now. */

import { facts as factLines } from '../../widgets/facts.ts';
import type { Look } from '../../theme/look.ts';
import { lockFacts } from '../../text/locks.ts';
import { wrap } from '../../text/width.ts';
import { isMarker } from './version-rows.ts';
import type { ObjectFacts } from '../../data/row-facts.ts';
import type { VersionRow } from './version-rows.ts';

interface Shown {
  readonly row: VersionRow;
  readonly facts: ObjectFacts | undefined;
  readonly now: number;
  /** Whether the bucket has Object Lock. */
  readonly hasLock: boolean;
}

export function versionLines(
  { row, facts, now, hasLock }: Shown,
  width: number,
  look: Look,
): string[] {
  const id = ['id', look.name(row.versionId)] as const;
  if (isMarker(row)) {
    const says = row.isLatest
      ? 'the object is deleted while this marker is its latest version; d removes the marker and restores the object'
      : 'the object was deleted at this time and stored again later';
    return [...factLines([id], look, width), ...wrap(says, width)];
  }
  const etag = ['etag', look.name(row.etag.replaceAll('"', ''))] as const;
  if (!facts) return [...factLines([id, etag], look, width), look.paint('dim', 'asking')];
  const { checksum } = facts;
  const sum = checksum && ([checksum.algorithm.toLowerCase(), look.name(checksum.value)] as const);
  const rows = [
    // The lock comes first, because a low terminal shows only the first lines, and the list shows most of the version
    // id.
    ...(hasLock ? lockFacts(facts, now) : []),
    id,
    etag,
    ...(sum ? [sum] : []),
    ...otherFacts(facts, look),
  ] as const;
  return factLines(rows, look, width);
}

function otherFacts(
  { attributes, tags, parts, encrypted }: ObjectFacts,
  look: Look,
): (readonly [string, string])[] {
  const { contentType } = attributes;
  return [
    ...(contentType === undefined ? [] : [['type', look.name(contentType)] as const]),
    ...(parts === undefined ? [] : [['parts', String(parts)] as const]),
    ...(encrypted ? [['encrypted', 'with a customer key'] as const] : []),
    ...tags.map(({ key, value }) => ['tag', look.name(`${key}=${value}`)] as const),
  ];
}
