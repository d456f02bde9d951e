/** Shows the details of the bucket under the cursor, beside the list. */

import { facts } from '../../widgets/facts.ts';
import { grantText } from '../../text/grants.ts';
import { bytesText, numberText } from '../../../src/text/amounts.ts';
import { minuteText } from '../../../src/text/time.ts';
import type { Look } from '../../theme/look.ts';
import { lockText, objectsText, versioningText } from './columns.ts';
import type { ShownBucket } from './columns.ts';

export function bucketFacts(bucket: ShownBucket, width: number, look: Look): string[] {
  return facts(namedFacts(bucket, look), look, width);
}

function namedFacts(bucket: ShownBucket, look: Look): [string, string][] {
  const { facts: known, target, createdAt, jobs, isNoted } = bucket;
  const rows: [string, string][] = [['store', target === 'local' ? 'embedded' : look.name(target)]];
  if (createdAt !== undefined) rows.push(['created', minuteText(createdAt)]);
  if (isNoted) rows.push(['listed', 'no: opened by name']);
  rows.push(['jobs', jobs.map((job) => look.name(job)).join(', ')]);
  if (!known) return [...rows, ['more', 'asking']];
  const { usage, limits, tags, grants, configured, unreported = [] } = known;
  rows.push(['owner', look.name(known.owner ?? '')], ['location', look.name(known.location)]);
  rows.push(['versioning', versioningText(known)], ['object lock', lockText(known, look)]);
  if (usage) {
    rows.push(['objects', objectsText(known) ?? '']);
    rows.push([
      'versions',
      amountOf(numberText(usage.objects), limits && numberText(limits.objects)),
    ]);
    rows.push([
      'size',
      amountOf(bytesText(usage.sizeBytes), limits && bytesText(limits.sizeBytes)),
    ]);
  }
  rows.push(['configured', configured.join(', ')]);
  rows.push(['tags', tags.map(({ key, value }) => look.name(`${key}=${value}`)).join(' ')]);
  rows.push(['other users', grants.map((each) => look.name(grantText(each))).join(', ')]);
  if (unreported.length > 0) rows.push(['unknown', unreported.join(', ')]);
  return rows;
}

function amountOf(used: string, limit: string | undefined): string {
  return limit === undefined ? used : `${used} of ${limit}`;
}
