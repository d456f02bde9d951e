/** The details of an object, each with a name and a value. */

import type { Result } from '../../../src/control/messages.ts';
import { facts } from '../../widgets/facts.ts';
import { bytesText, numberText } from '../../../src/text/amounts.ts';
import { timeText } from '../../../src/text/time.ts';
import { lockFacts } from '../../text/locks.ts';
import { isBookkeeping } from '../../text/own-metadata.ts';
import type { Look } from '../../theme/look.ts';

export interface Fact {
  readonly name: string;
  /** The value as text. It must be escaped before it is drawn. */
  readonly value: string;
}

type Description = Result<'objects.describe'>;

/** Returns the details of an object. `hasLock` is true for a bucket with Object Lock. */
export function objectFacts(
  description: Description,
  { now, hasLock }: { now: number; hasLock: boolean },
): Fact[] {
  const { sizeBytes, lastModifiedAt, etag, checksum, versionId, parts } = description;
  return [
    fact('size', sizeText(sizeBytes)),
    fact('modified', timeText(lastModifiedAt)),
    fact('etag', etag.replaceAll('"', '')),
    ...some('checksum', checksum && `${checksum.algorithm} ${checksum.value}`),
    ...some('version', versionId),
    fact('versions', versionsText(description)),
    ...(hasLock ? lockFacts(description, now).map(([name, value]) => fact(name, value)) : []),
    ...some('parts', parts && numberText(parts)),
    ...(description.encrypted ? [fact('encrypted', 'with a customer key')] : []),
    ...statedFacts(description),
  ];
}

const fact = (name: string, value: string): Fact => ({ name, value });
const some = (name: string, value: string | undefined | 0): Fact[] =>
  value === undefined || value === 0 ? [] : [fact(name, value)];

function sizeText(sizeBytes: number): string {
  const text = bytesText(sizeBytes);
  return sizeBytes < 1_000 ? text : `${text} (${numberText(sizeBytes)} bytes)`;
}

function versionsText({ versions: { count, more } }: Description): string {
  return count === 1 ? '1' : `${numberText(count)}${more ? '+' : ''}, including delete markers`;
}

function statedFacts({ attributes, tags, image, unreported = [] }: Description): Fact[] {
  const { metadata = {}, ...standard } = attributes;
  const disk = image && `${image.format} ${image.variant}; serves as ${image.servesAs.join(', ')}`;
  return [
    ...Object.entries(standard).flatMap(([name, value]) => some(LABELS[name] ?? name, value)),
    ...metadataFacts(metadata),
    ...tags.map(({ key, value }) => fact(`tag ${key}`, value)),
    ...some('disk image', disk),
    ...some('not allowed to read', unreported.length > 0 ? unreported.join(', ') : undefined),
  ];
}

/**
 * Returns the metadata as details. Omits metadata that only Holdfast uses and that has no readable
 * form.
 */
function metadataFacts(metadata: Readonly<Record<string, string>>): Fact[] {
  return Object.entries(metadata).flatMap(([name, value]) => {
    const text = metadataText(name, value);
    return isBookkeeping(name) && text === value ? [] : [fact(`metadata ${name}`, text)];
  });
}

/**
 * Returns the value of a metadata entry. A modification time in seconds since 1970 is also shown as
 * a readable time.
 */
function metadataText(name: string, value: string): string {
  const isSeconds = /(^|-)mtime$/.test(name) && /^\d{1,11}(\.\d+)?$/.test(value);
  return isSeconds ? `${timeText(Number(value) * 1_000)} (${value})` : value;
}

const LABELS: Readonly<Record<string, string>> = {
  contentType: 'type',
  contentEncoding: 'encoding',
  contentDisposition: 'disposition',
  contentLanguage: 'language',
  cacheControl: 'cache control',
  websiteRedirect: 'redirect',
};

/** Returns the details as wrapped lines for the pane beside a list. */
export function factLines(known: readonly Fact[], width: number, look: Look): string[] {
  const rows = known.map(({ name, value }) => [look.name(name), look.name(value)] as const);
  return facts(rows, look, width);
}
