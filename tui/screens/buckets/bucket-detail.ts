/** The bucket under the cursor, beside the list. */

import type { Area } from '../../app/screen.ts';
import { pane } from '../../components/layout.ts';
import { facts as factLines } from '../../components/table.ts';
import { grantText } from '../../text/grants.ts';
import { bytesText, numberText } from '../../../src/text/amounts.ts';
import { minuteText } from '../../../src/text/time.ts';
import type { Look } from '../../theme/look.ts';
import { lockText, objectsText, versioningText } from './columns.ts';
import type { ShownBucket } from './columns.ts';

export function bucketDetail(bucket: ShownBucket, area: Area, look: Look): string[] {
  const lines = factLines(bucketFacts(bucket, look), look);
  const options = { title: look.name(bucket.bucket), width: area.columns, height: area.rows };
  return pane(
    lines.map((line) => ` ${line}`),
    options,
    look,
  );
}

function bucketFacts(bucket: ShownBucket, look: Look): [string, string][] {
  const { facts, target, createdAt, jobs, isNoted } = bucket;
  const rows: [string, string][] = [['store', target === 'local' ? 'embedded' : look.name(target)]];
  if (createdAt !== undefined) rows.push(['created', minuteText(createdAt)]);
  if (isNoted) rows.push(['listed', 'no: opened by name']);
  rows.push(['jobs', jobs.map((job) => look.name(job)).join(', ')]);
  if (!facts) return [...rows, ['more', 'asking']];
  const { usage, limits, tags, grants, configured, untold = [] } = facts;
  rows.push(['owner', look.name(facts.owner ?? '')], ['location', look.name(facts.location)]);
  rows.push(['versioning', versioningText(facts)], ['object lock', lockText(facts, look)]);
  if (usage) {
    rows.push(['objects', objectsText(facts) ?? '']);
    rows.push([
      'versions',
      amountOf(numberText(usage.objects), limits && numberText(limits.objects)),
    ]);
    rows.push([
      'size',
      amountOf(bytesText(usage.sizeBytes), limits && bytesText(limits.sizeBytes)),
    ]);
  }
  rows.push(['has', configured.join(', ')]);
  rows.push(['tags', tags.map(({ key, value }) => look.name(`${key}=${value}`)).join(' ')]);
  rows.push(['others may', grants.map((each) => look.name(grantText(each))).join(', ')]);
  if (untold.length > 0) rows.push(['not told', untold.join(', ')]);
  return rows;
}

function amountOf(used: string, limit: string | undefined): string {
  return limit === undefined ? used : `${used} of ${limit}`;
}
