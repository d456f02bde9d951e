/** Two versions of an object: what is said of them, then their content as far as it is compared. */

import type { Ui } from '../../ui/ui.ts';
import { readPart } from '../../data/content.ts';
import { asked } from '../../data/place.ts';
import type { ObjectPlace } from '../../data/place.ts';
import { timeText } from '../../../src/text/time.ts';
import { DIFF_BYTES, DiffScreen } from '../diff/diff-screen.ts';
import type { DiffSide } from '../diff/diff-rows.ts';
import type { ObjectFacts } from '../../data/row-facts.ts';
import type { VersionRow } from './version-rows.ts';

/** The older one first, whichever was marked first. */
export function openVersionDiff(ui: Ui, place: ObjectPlace, rows: readonly VersionRow[]): void {
  const [older, younger] = rows.toSorted((a, b) => a.lastModifiedAt - b.lastModifiedAt);
  if (!older || !younger) return;
  const crumbs = ['buckets', place.bucket, place.key, 'diff'];
  const read = (signal: AbortSignal) =>
    Promise.all([
      readSide(ui, place, older, signal),
      readSide(ui, place, younger, signal),
    ] as const);
  ui.router.open(new DiffScreen(ui, { crumbs, read }));
}

async function readSide(
  ui: Ui,
  place: ObjectPlace,
  { versionId, sizeBytes, lastModifiedAt }: VersionRow,
  signal: AbortSignal,
): Promise<DiffSide> {
  const version = { ...place, versionId };
  const facts = await ui.call('objects.describe', asked(version), { signal });
  const count = Math.min(sizeBytes, DIFF_BYTES);
  const { bytes } =
    count === 0
      ? { bytes: new Uint8Array() }
      : await readPart(ui.link, version, { start: 0, count }, signal);
  const name = `${versionId.slice(-8)} of ${timeText(lastModifiedAt)}`;
  const { checksum } = facts;
  const sha256 = checksum?.algorithm === 'SHA256' ? checksum.value : undefined;
  return { name, sizeBytes, sha256, stated: statedOf(facts), bytes };
}

function statedOf({ attributes, tags }: ObjectFacts): string[] {
  const { metadata = {}, ...standard } = attributes;
  return [
    ...Object.entries(standard).map(([name, value]) => `${name}: ${value}`),
    ...Object.entries(metadata).map(([name, value]) => `metadata ${name}: ${value}`),
    ...tags.map(({ key, value }) => `tag ${key}: ${value}`),
  ].toSorted();
}
