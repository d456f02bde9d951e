/** Compares two versions of an object: their metadata and tags, and the first bytes of their content. */

import type { Ui } from '../../ui/ui.ts';
import { VERSION_CELLS } from '../../acts/names.ts';
import { readPart } from '../../data/content.ts';
import { asked, bucketText } from '../../data/place.ts';
import type { ObjectPlace } from '../../data/place.ts';
import { timeText } from '../../../src/text/time.ts';
import { isBookkeeping } from '../../text/own-metadata.ts';
import { DIFF_BYTES, DiffScreen } from '../diff/diff-screen.ts';
import type { DiffSide } from '../diff/diff-rows.ts';
import { whyNoPreview } from '../preview/preview-content.ts';
import type { ObjectFacts } from '../../data/row-facts.ts';
import type { VersionRow } from './version-rows.ts';

/** Opens the comparison of two versions. The older version is shown first. */
export function openVersionDiff(ui: Ui, place: ObjectPlace, rows: readonly VersionRow[]): void {
  const [older, younger] = rows.toSorted((a, b) => a.lastModifiedAt - b.lastModifiedAt);
  if (!older || !younger) return;
  const crumbs = [bucketText(place), place.key, 'diff'];
  const read = (signal: AbortSignal) =>
    readVersions(ui, place, { older, younger, bytes: DIFF_BYTES }, signal);
  ui.router.open(new DiffScreen(ui, { crumbs, read }));
}

interface VersionsToRead {
  readonly older: VersionRow;
  readonly younger: VersionRow;
  /** The number of bytes to read from each version. */
  readonly bytes: number;
}

/** Reads the first bytes of both versions. The older version comes first. */
export async function readVersions(
  ui: Ui,
  place: ObjectPlace,
  { older, younger, bytes }: VersionsToRead,
  signal: AbortSignal,
): Promise<readonly [DiffSide, DiffSide]> {
  return Promise.all([
    readSide(ui, place, { row: older, bytes }, signal),
    readSide(ui, place, { row: younger, bytes }, signal),
  ]);
}

interface SideToRead {
  readonly row: VersionRow;
  readonly bytes: number;
}

async function readSide(
  ui: Ui,
  place: ObjectPlace,
  { row: { versionId, sizeBytes, lastModifiedAt }, bytes: most }: SideToRead,
  signal: AbortSignal,
): Promise<DiffSide> {
  const version = { ...place, versionId };
  const facts = await ui.call('objects.describe', asked(version), { signal });
  if (facts.encrypted) throw new Error(whyNoPreview(facts));
  const count = Math.min(sizeBytes, most);
  const { bytes } =
    count === 0
      ? { bytes: new Uint8Array() }
      : await readPart(ui.link, version, { start: 0, count }, signal);
  const id = ui.look.cut(versionId, VERSION_CELLS, 'middle');
  const name = `${id} of ${timeText(lastModifiedAt)}`;
  const { checksum } = facts;
  const sha256 = checksum?.algorithm === 'SHA256' ? checksum.value : undefined;
  return { name, sizeBytes, sha256, stated: statedOf(facts), bytes };
}

function statedOf({ attributes, tags }: ObjectFacts): ReadonlyMap<string, string> {
  const { metadata = {}, ...standard } = attributes;
  const own = Object.entries(metadata).filter(([name]) => !isBookkeeping(name));
  return new Map([
    ...Object.entries(standard).map(([name, value]) => [name, `${value}`] as const),
    ...own.map(([name, value]) => [`metadata ${name}`, value] as const),
    ...tags.map(({ key, value }) => [`tag ${key}`, value] as const),
  ]);
}
