/** The columns of the bucket list. */

import type { Column } from '../../widgets/column-widths.ts';
import { bytesText, numberText } from '../../../src/text/amounts.ts';
import { dayText } from '../../../src/text/time.ts';
import type { Look } from '../../theme/look.ts';
import { periodText } from '../../text/locks.ts';
import { lockTone } from '../../theme/tones.ts';
import type { BucketFacts, BucketRow } from './bucket-rows.ts';

/** A row of the bucket list. Its details are absent until they are loaded. */
export interface ShownBucket extends BucketRow {
  readonly facts?: BucketFacts | undefined;
}

export const BUCKET_COLUMNS: readonly Column<ShownBucket>[] = [
  {
    title: 'NAME',
    width: 'grow',
    cut: 'middle',
    least: 20,
    cell: ({ bucket }, look) => look.name(bucket),
  },
  {
    title: 'TARGET',
    width: 'fit',
    most: 16,
    cut: 'middle',
    drop: 3,
    cell: ({ target }, look) => look.name(target),
  },
  {
    title: 'LOCK',
    width: 6,
    drop: 4,
    tone: ({ facts }) =>
      facts?.objectLock ? lockTone(facts.objectLock.defaultRetention?.mode) : 'dim',
    cell: ({ facts }, look) => (facts ? lockText(facts, look) : look.glyphs.none),
  },
  {
    title: 'OBJECTS',
    width: 9,
    align: 'right',
    drop: 2,
    cell: ({ facts }, look) => (facts && objectsText(facts)) ?? look.glyphs.none,
  },
  {
    title: 'VERSIONS',
    width: 9,
    align: 'right',
    drop: 5,
    cell: ({ facts }, look) => (facts ? versionsText(facts) : look.glyphs.none),
  },
  {
    title: 'SIZE',
    tone: 'size',
    width: 8,
    align: 'right',
    drop: 1,
    cell: ({ facts }, look) => (facts?.usage ? bytesText(facts.usage.sizeBytes) : look.glyphs.none),
  },
  {
    title: 'CREATED',
    tone: 'date',
    width: 10,
    spare: true,
    cell: ({ createdAt }, look) =>
      createdAt === undefined ? look.glyphs.none : dayText(createdAt),
  },
  {
    title: 'JOB',
    width: 'fit',
    cut: 'middle',
    spare: true,
    cell: ({ jobs }, look) =>
      jobs.length === 0 ? look.glyphs.none : jobs.map((job) => look.name(job)).join(', '),
  },
];

/**
 * Returns the number of current objects, or undefined if the service does not report it. Without versioning, all
 * objects are current.
 */
export function headsOf({ heads, usage, versioning }: BucketFacts): BucketFacts['heads'] {
  if (heads || !usage || versioning !== undefined) return heads;
  return { count: usage.objects, isAll: true };
}

/** Returns the number of objects: `48,213`, or `100,000+` if not all were counted. */
export function objectsText(facts: BucketFacts): string | undefined {
  const heads = headsOf(facts);
  return heads && `${numberText(heads.count)}${heads.isAll ? '' : '+'}`;
}

/** Returns the number of versions, including current versions, or the versioning state if the number is unknown. */
function versionsText(facts: BucketFacts): string {
  const { versioning, usage } = facts;
  const isCounted = versioning === 'Enabled' && usage !== undefined;
  return isCounted ? numberText(usage.objects) : versioningText(facts);
}

export function versioningText({ versioning }: BucketFacts): string {
  return versioning === undefined ? 'off' : versioning === 'Enabled' ? 'on' : 'suspended';
}

/**
 * Returns a bucket's default retention: `G 30d` or `C 7y`. Returns `on` if the bucket has Object Lock but no default
 * retention.
 */
export function lockText({ objectLock }: BucketFacts, look: Look): string {
  if (!objectLock) return look.glyphs.none;
  const { defaultRetention } = objectLock;
  if (!defaultRetention) return 'on';
  return `${defaultRetention.mode[0]} ${periodText(defaultRetention)}`;
}
