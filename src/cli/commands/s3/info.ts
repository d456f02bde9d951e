/** Implements `holdfast s3 info`. It prints the properties of an object, a version or a bucket. */

import { defined } from '../../../base/defined.ts';
import type { ControlClient } from '../../../control/client.ts';
import type { Result } from '../../../control/messages.ts';
import type { Context } from '../../context.ts';
import { type KeyOptions, readKeyFile } from '../../arguments/key-file.ts';
import { withThing } from '../../arguments/resolve-thing.ts';
import { attributeLines } from './meta.ts';
import { tagLines } from './tag.ts';
import { visible } from '../../output/text.ts';
import { bytesText, countText, numberText } from '../../../text/amounts.ts';
import { timeText } from '../../../text/time.ts';

type ObjectInfo = Result<'objects.describe'>;
type BucketInfo = Result<'buckets.describe'>;

export async function info(
  context: Context,
  typed: string,
  { versionId, keyFile }: KeyOptions & { readonly versionId?: string },
): Promise<void> {
  const customerKey = await readKeyFile(context, keyFile);
  const rules = { ifBoth: 'object', hasVersions: true, versionId } as const;
  await withThing(context, typed, rules, async (daemon, place) => {
    const { bucket, key } = place;
    if (key === '') return printBucket(context, daemon, bucket);
    const found = await daemon.call('objects.describe', defined({ ...place, customerKey }));
    return context.json
      ? context.out.json({ bucket, key, ...found })
      : context.out.lines(...aligned(objectRows(found)));
  });
}

export async function printBucket(
  context: Context,
  daemon: ControlClient,
  bucket: string,
): Promise<void> {
  const found = await daemon.call('buckets.describe', { bucket });
  return context.json
    ? context.out.json({ bucket, ...found })
    : context.out.lines(...aligned(bucketRows(found)));
}

/**
 * Returns a rounded size and the number of bytes, such as `1.2 MB (1,234,567 bytes)`. If the rounded size is exact,
 * returns only that, such as `508 B`.
 */
function sizeText(sizeBytes: number): string {
  const short = bytesText(sizeBytes);
  return short.endsWith(' B') ? short : `${short} (${numberText(sizeBytes)} bytes)`;
}

type Row = readonly [name: string, value: string | undefined];

function objectRows(found: ObjectInfo): Row[] {
  const { sizeBytes, etag, lastModifiedAt, versionId, checksum, versions, parts } = found;
  const count = countText(versions.count, 'version');
  return [
    ['size', sizeText(sizeBytes)],
    ['modified', timeText(lastModifiedAt)],
    ['etag', etag],
    ['checksum', checksum && `${checksum.algorithm} ${checksum.value} (${checksum.type})`],
    ['parts', parts?.toString()],
    ['version', versionId],
    ['versions', versions.more ? `more than ${count}` : count],
    ['retention', retentionText(found)],
    ['legal hold', found.legalHold === undefined ? undefined : found.legalHold ? 'ON' : 'OFF'],
    ['encrypted', found.encrypted ? 'under the key that was given' : undefined],
    ['image', imageText(found)],
    ...attributeLines(found.attributes).map((line): Row => ['attribute', line]),
    ...tagLines(found.tags).map((line): Row => ['tag', line]),
    ['not reported', found.unreported?.join(', ')],
  ];
}

function retentionText({ retention }: ObjectInfo): string | undefined {
  return retention && `${retention.mode} until ${timeText(retention.retainUntil)}`;
}

function imageText({ image }: ObjectInfo): string | undefined {
  if (image === undefined) return undefined;
  const { format, variant, servesAs } = image;
  const uses = servesAs.length === 0 ? 'nothing by itself' : servesAs.join(' and ');
  return `${format}, ${variant}: serves as ${uses}`;
}

function bucketRows(found: BucketInfo): Row[] {
  const { owner, location, versioning, objectLock, usage, limits, configured, unreported } = found;
  const isUnknown = unreported?.includes('object lock') ?? false;
  return [
    ['owner', owner],
    ['location', location],
    ['versioning', versioning ?? 'off'],
    ['object lock', objectLock ? lockText(objectLock) : isUnknown ? undefined : 'off'],
    ['holds', usage && amountText(usage)],
    ['may hold', limits && amountText(limits)],
    ['has', configured.length === 0 ? undefined : configured.join(', ')],
    ...found.grants.map(({ grantee, permission }): Row => ['right', `${permission} ${grantee}`]),
    ...tagLines(found.tags).map((line): Row => ['tag', line]),
    ['not reported', unreported?.join(', ')],
  ];
}

function amountText({ objects, sizeBytes }: NonNullable<BucketInfo['usage']>): string {
  return `${countText(objects, 'version')} of objects, ${bytesText(sizeBytes)}`;
}

function lockText({ defaultRetention }: NonNullable<BucketInfo['objectLock']>): string {
  if (defaultRetention === undefined) return 'on, without a default retention';
  const { mode, days, years } = defaultRetention;
  const period = days === undefined ? countText(years ?? 0, 'year') : countText(days, 'day');
  return `on, ${mode} for ${period} by default`;
}

/** Returns the lines of a table with aligned values. Omits rows without a value. */
function aligned(rows: readonly Row[]): string[] {
  const known = rows.flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value] as const],
  );
  const width = Math.max(...known.map(([name]) => name.length));
  return known.map(([name, value]) => `${name.padEnd(width)}  ${visible(value)}`);
}
