/** The version under the cursor: what it is, its lock, and what that allows now. */

import type { Look } from '../../theme/look.ts';
import { allowedNow, lockText } from '../../text/locks.ts';
import { wrap } from '../../text/width.ts';
import { isMarker } from './version-rows.ts';
import type { ObjectFacts } from '../../store/row-facts.ts';
import type { VersionRow } from './version-rows.ts';

interface Shown {
  readonly row: VersionRow;
  readonly facts: ObjectFacts | undefined;
  readonly now: number;
}

export function versionLines({ row, facts, now }: Shown, width: number, look: Look): string[] {
  const id = `id ${look.name(row.versionId)}`;
  if (isMarker(row)) {
    const says = row.isLatest
      ? 'the object is deleted as long as this marker is on top; d removes it, and what is below shows again'
      : 'the object was deleted then, and stored again later';
    return [...wrap(id, width), ...wrap(says, width)];
  }
  const checksum = facts?.checksum;
  const sums = [
    `etag ${look.name(row.etag.replaceAll('"', ''))}`,
    ...(checksum ? [`${checksum.algorithm.toLowerCase()} ${look.name(checksum.value)}`] : []),
  ];
  if (!facts) return [...wrap([id, ...sums].join('   '), width), look.paint('dim', 'asking')];
  const { allowed, not } = allowedNow(facts, now);
  const hold = `legal hold ${facts.legalHold === true ? 'ON' : 'off'}`;
  const never = not.length === 0 ? '' : `  not: ${not.join(', ')}`;
  return [
    ...wrap([id, ...sums].join('   '), width),
    ...wrap(`lock ${lockText(facts, now)}   ${hold}`, width),
    ...wrap(`allowed now: ${allowed.join(', ')}.${never}`, width),
    ...wrap(otherFacts(facts, look), width),
  ];
}

function otherFacts({ attributes, tags, parts, encrypted }: ObjectFacts, look: Look): string {
  const words = [
    ...(attributes.contentType === undefined ? [] : [`type ${look.name(attributes.contentType)}`]),
    ...(parts === undefined ? [] : [`${parts} parts`]),
    ...(encrypted ? ['encrypted with a customer key'] : []),
    ...tags.map(({ key, value }) => look.name(`${key}=${value}`)),
  ];
  return words.join('   ');
}
