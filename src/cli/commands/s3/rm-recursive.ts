/** Implements `holdfast s3 rm --recursive`, which deletes all objects below a prefix, a page of the listing at a time. */

import { defined } from '../../../base/defined.ts';
import type { ControlClient } from '../../../control/client.ts';
import type { Result } from '../../../control/messages.ts';
import { EXIT, type ExitCode } from '../../output/command-error.ts';
import type { Context } from '../../context.ts';
import { foundNothing } from './found-nothing.ts';
import { catchInterrupts } from '../../interrupts.ts';
import { refuseJobPlace } from '../../arguments/job-place.ts';
import { objectPages, versionPages } from './pages.ts';
import { withThing } from '../../arguments/resolve-thing.ts';
import { folderOf, type Place } from '../../arguments/thing.ts';
import { countText, visible } from '../../output/text.ts';

export interface RemoveManyOptions {
  readonly dryRun?: boolean;
  /** Permanently deletes every version and delete marker. */
  readonly allVersions?: boolean;
  readonly bypassGovernance?: boolean;
}

interface Doomed {
  readonly key: string;
  readonly versionId?: string | undefined;
}

type Failed = Result<'objects.deleteMany'>['failed'][number];

interface Removal {
  deleted: number;
  markers: number;
  failedCount: number;
  readonly failed: Failed[];
  /** The first `MAX_TOLD` objects or versions that would be deleted. Present only with `--dry-run`. */
  readonly planned?: Doomed[];
}

const MAX_TOLD = 1000;
/** Maximum number of entries in one page of a listing of the daemon. */
const PAGE = 1000;

export async function removeMany(
  context: Context,
  typed: string,
  options: RemoveManyOptions,
): Promise<ExitCode> {
  return withThing(context, typed, { ifBoth: 'refuse' }, async (daemon, asked, { target }) => {
    const place = folderOf(asked);
    const { bucket } = place;
    if (!options.dryRun)
      await refuseJobPlace(context, daemon, { ...place, target, isPrefix: true });
    const pages = pagesOf(daemon, place, options);
    const first = await pages.next();
    if (first.done === true) return tell(context, place, { removal: none(options), options });
    const removal = await removePages(context, daemon, {
      bucket,
      first: first.value,
      pages,
      options,
    });
    return tell(context, place, { removal, options });
  });
}

/** Yields the objects on each page of the listing, or the versions with `allVersions`. Skips empty pages. */
async function* pagesOf(
  daemon: ControlClient,
  { bucket, key: prefix }: Place,
  { allVersions }: RemoveManyOptions,
): AsyncGenerator<readonly Doomed[], void> {
  if (!allVersions) {
    for await (const { objects } of objectPages(daemon, { bucket, prefix })) {
      if (objects.length > 0) yield objects.map(({ key }) => ({ key }));
    }
    return;
  }
  for await (const { versions } of versionPages(daemon, { bucket, prefix })) {
    if (versions.length > 0) yield versions.map(({ key, versionId }) => ({ key, versionId }));
  }
}

interface Pages {
  readonly bucket: string;
  readonly first: readonly Doomed[];
  readonly pages: AsyncIterable<readonly Doomed[]>;
  readonly options: RemoveManyOptions;
}

/**
 * Deletes the entries of all pages, or only counts them with `dryRun`. An entry that another client deletes after it
 * was listed counts as deleted.
 */
async function removePages(
  context: Context,
  daemon: ControlClient,
  { bucket, first, pages, options }: Pages,
): Promise<Removal> {
  const { dryRun, bypassGovernance } = options;
  const removal = none(options);
  const interrupts = catchInterrupts(context.io.stderr);
  const remove = async (objects: readonly Doomed[]) => {
    interrupts.signal.throwIfAborted();
    if (dryRun) {
      removal.deleted += objects.length;
      removal.planned?.push(...objects.slice(0, MAX_TOLD - removal.planned.length));
      return;
    }
    const request = { bucket, objects: [...objects], ...defined({ bypassGovernance }) };
    const { deleted, markers, failed } = await daemon.call('objects.deleteMany', request);
    removal.deleted += deleted;
    removal.markers += markers;
    removal.failedCount += failed.length;
    removal.failed.push(...failed.slice(0, MAX_TOLD - removal.failed.length));
  };
  try {
    await remove(first);
    for await (const objects of pages) await remove(objects);
    return removal;
  } finally {
    interrupts.release();
  }
}

function none({ dryRun }: RemoveManyOptions): Removal {
  return { deleted: 0, markers: 0, failedCount: 0, failed: [], ...(dryRun && { planned: [] }) };
}

/**
 * Returns a line with the number of objects or versions on the first page, for the confirmation prompt. Throws
 * CommandError `Conflict` if the prefix overlaps the destination of a job.
 */
export async function details(
  context: Context,
  typed: string,
  options: RemoveManyOptions,
): Promise<readonly string[]> {
  return withThing(context, typed, { ifBoth: 'refuse' }, async (daemon, asked, { target }) => {
    const place = folderOf(asked);
    await refuseJobPlace(context, daemon, { ...place, target, isPrefix: true });
    const first = await pagesOf(daemon, place, options).next();
    const noun = options.allVersions ? 'version' : 'object';
    const found = first.done === true ? 0 : first.value.length;
    const count =
      found < PAGE ? countText(found, noun) : `${PAGE.toLocaleString('en')} ${noun}s or more`;
    return [`${place.bucket}/${place.key} has ${count}`];
  });
}

async function tell(
  context: Context,
  { bucket, key }: Place,
  { removal, options }: { readonly removal: Removal; readonly options: RemoveManyOptions },
): Promise<ExitCode> {
  const { deleted, markers, failed, failedCount, planned } = removal;
  if (deleted + failedCount === 0) {
    const noun = options.allVersions ? 'version' : 'object';
    await foundNothing(context, { place: { bucket, key }, goal: 'remove', noun });
  }
  if (context.json) await context.out.json(removal);
  else if (deleted + failedCount > 0) {
    const amount = countText(deleted, options.allVersions ? 'version' : 'object');
    const kept = markers > 0 ? '; older versions stay below their delete markers' : '';
    await context.out.lines(
      ...(planned ?? []).map((each) => nameOf(bucket, each)),
      ...(planned && deleted > planned.length ? [`and ${deleted - planned.length} more`] : []),
      ...(deleted === 0 ? [] : [planned ? `would remove ${amount}` : `removed ${amount}${kept}`]),
      ...failed.map((each) => failureLine(context, nameOf(bucket, each), each)),
      ...(failedCount > failed.length ? [`and ${failedCount - failed.length} more failed`] : []),
    );
  }
  if (failedCount === 0) return EXIT.ok;
  return deleted === 0 ? EXIT.failed : EXIT.attention;
}

function failureLine({ out }: Context, name: string, { message }: Failed): string {
  return `${out.paint('bad', '!')} ${name}: ${visible(message)}`;
}

function nameOf(bucket: string, { key, versionId }: Doomed): string {
  const version = versionId === undefined ? '' : `  ${visible(versionId)}`;
  return visible(`${bucket}/${key}`) + version;
}
