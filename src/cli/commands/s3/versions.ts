/** Implements `holdfast s3 versions`. It lists every version and delete marker below a prefix. */

import type { ControlClient } from '../../../control/client.ts';
import type { Context } from '../../context.ts';
import { CommandError } from '../../output/command-error.ts';
import { foundNothing } from './found-nothing.ts';
import { versionPages } from './pages.ts';
import type { VersionPage } from './pages.ts';
import { type Found, type ThingRules, withThing } from '../../arguments/resolve-thing.ts';
import { bytesText } from '../../../text/amounts.ts';
import { messageText, visible } from '../../output/text.ts';
import { timeText } from '../../../text/time.ts';

type Version = VersionPage['versions'][number];

/**
 * Lists the versions of all keys with a prefix, or of a local path and everything below it. With `~N`, lists only that
 * version.
 */
export async function versions(
  context: Context,
  typed: string,
  rules: ThingRules = { ifBoth: 'object' },
): Promise<void> {
  await withThing(context, typed, rules, async (daemon, { versionId, ...place }, found) => {
    const { job } = found;
    if (job === undefined)
      return listVersions(context, daemon, { ...place, isIncluded: isVersion(versionId) });
    const { bucket } = place;
    const key = place.key.replace(/\/$/, '');
    await context.remark(visible(`versions of ${bucket}/${key} (job ${job})`));
    const isIncluded = (version: Version) =>
      (key === '' || version.key === key || version.key.startsWith(`${key}/`)) &&
      isVersion(versionId)(version);
    const why = await whyNot(daemon, found);
    try {
      await listVersions(context, daemon, { bucket, key, isIncluded });
    } catch (error) {
      const isNone = error instanceof CommandError && error.code === 'NotFound';
      if (!isNone || why === undefined) throw error;
      const message = `job ${job} does not back up ${typed}: ${why.reason}`;
      throw new CommandError('NotFound', message, why.hint);
    }
    if (why) await context.remark(`no new version is uploaded: ${messageText(why.reason)}`);
  });
}

/** Returns why a job does not back up the path of the object. Returns undefined if the job backs it up. */
export async function whyNot(
  daemon: ControlClient,
  { job, ...object }: Found,
): Promise<{ readonly reason: string; readonly hint?: string | undefined } | undefined> {
  const { excluded, problem } = await daemon.call('jobs.explain', { object });
  if (excluded) return { reason: `it is ${excluded.reason}`, hint: excluded.hint };
  return problem === undefined
    ? undefined
    : { reason: problem, hint: `to list the problems of the job: holdfast job show ${job}` };
}

function isVersion(versionId: string | undefined): (version: Version) => boolean {
  return (version) => versionId === undefined || version.versionId === versionId;
}

interface ListedPlace {
  readonly bucket: string;
  /** The prefix of the keys to list. */
  readonly key: string;
  readonly isIncluded: (version: Version) => boolean;
}

async function listVersions(
  context: Context,
  daemon: ControlClient,
  { bucket, key, isIncluded }: ListedPlace,
): Promise<void> {
  let count = 0;
  async function* versionsOf(pages: AsyncIterable<VersionPage>) {
    for await (const page of pages) {
      const found = page.versions.filter(isIncluded);
      count += found.length;
      yield found;
    }
  }
  const found = versionsOf(versionPages(daemon, { bucket, prefix: key }));
  if (context.json) await context.out.jsonList('versions', found);
  else for await (const page of found) await context.out.lines(...page.map(versionLine));
  if (count === 0)
    await foundNothing(context, { place: { bucket, key }, goal: 'list', noun: 'version' });
}

const SIZE_CELLS = 9;
/**
 * The width of the state column. `current` is the version that a GET without a version ID returns. `deleted` is a
 * delete marker.
 */
const STATE_CELLS = 'current'.length;

function versionLine(version: Version): string {
  const marker = version.kind === 'delete-marker';
  const size = marker ? '' : bytesText(version.sizeBytes);
  const state = marker ? 'deleted' : version.isLatest ? 'current' : '';
  return [
    timeText(version.lastModifiedAt),
    size.padStart(SIZE_CELLS),
    state.padEnd(STATE_CELLS),
    visible(version.versionId),
    visible(version.key),
  ].join('  ');
}
