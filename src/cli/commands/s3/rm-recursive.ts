/** Implements `holdfast s3 rm --recursive`. It deletes all objects below a prefix, one listing page at a time. */

import { defined } from '../../../base/defined.ts';
import type { ControlClient } from '../../../control/client.ts';
import { isControlError } from '../../../control/control-error.ts';
import type { Result } from '../../../control/messages.ts';
import { EXIT, type ExitCode } from '../../output/command-error.ts';
import type { Context } from '../../context.ts';
import { foundNothing } from './found-nothing.ts';
import { catchInterrupts } from '../../interrupts.ts';
import { refuseJobPlace } from '../../arguments/job-place.ts';
import { objectPages, versionPages } from './pages.ts';
import { withThing } from '../../arguments/resolve-thing.ts';
import { folderOf, type Place } from '../../arguments/thing.ts';
import { Progress } from '../../output/progress.ts';
import { countText } from '../../../text/amounts.ts';
import { messageText, visible } from '../../output/text.ts';
import { tookText, zonedTimeText } from '../../../text/time.ts';

export interface RemoveManyOptions {
  readonly dryRun?: boolean;
  /** Whether to permanently delete every version and delete marker. */
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
  /** The first `MAX_REPORTED` objects or versions that would be deleted. Present only with `--dry-run`. */
  readonly planned?: Doomed[];
}

const MAX_REPORTED = 1000;
/** The maximum number of versions per request for their locks. */
const LOCKS_AT_ONCE = 200;
/** The maximum number of entries in a listing page of the daemon. */
const PAGE = 1000;

export async function removeMany(
  context: Context,
  typed: string,
  options: RemoveManyOptions,
): Promise<ExitCode> {
  return withThing(context, typed, { ifBoth: 'refuse' }, async (daemon, asked, { target }) => {
    const place = folderOf(asked);
    const { bucket } = place;
    await refuseJobPlace(context, daemon, { ...place, target, isPrefix: true });
    const startedAt = context.io.clock.monotonic();
    const pages = pagesOf(daemon, place, options);
    const first = await pages.next();
    const shown = { options, startedAt };
    if (first.done === true) return print(context, place, { removal: none(options), ...shown });
    const removal = await removePages(context, daemon, {
      bucket,
      first: first.value,
      pages,
      options,
    });
    return print(context, place, { removal, ...shown });
  });
}

/** Yields the objects of each listing page. With `allVersions`, yields the versions. Skips empty pages. */
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
 * Deletes the entries of all pages. With `dryRun`, only counts and checks them. An entry that another client deletes
 * after it was listed counts as deleted.
 */
async function removePages(
  context: Context,
  daemon: ControlClient,
  { bucket, first, pages, options }: Pages,
): Promise<Removal> {
  const { dryRun, bypassGovernance } = options;
  const removal = none(options);
  const check = await lockCheck(context, daemon, { bucket, options });
  const interrupts = catchInterrupts(context.io.stderr);
  const progress = new Progress(context);
  const noun = options.allVersions ? 'version' : 'object';
  const show = () =>
    progress.show('removing', { files: removal.deleted + removal.failedCount, noun });
  const remove = async (objects: readonly Doomed[]) => {
    interrupts.signal.throwIfAborted();
    if (dryRun) {
      const refused = await check(objects);
      const free = objects.filter((_, index) => refused[index] === undefined);
      removal.deleted += free.length;
      removal.planned?.push(...free.slice(0, MAX_REPORTED - removal.planned.length));
      noteFailed(
        removal,
        refused.filter((each) => each !== undefined),
      );
      return;
    }
    const request = { bucket, objects: [...objects], ...defined({ bypassGovernance }) };
    const { deleted, markers, failed } = await daemon.call('objects.deleteMany', request);
    removal.deleted += deleted;
    removal.markers += markers;
    noteFailed(removal, failed);
  };
  try {
    show();
    await remove(first);
    for await (const objects of pages) {
      show();
      await remove(objects);
    }
    return removal;
  } finally {
    progress.end();
    interrupts.release();
  }
}

function noteFailed(removal: Removal, failed: readonly Failed[]): void {
  removal.failedCount += failed.length;
  removal.failed.push(...failed.slice(0, MAX_REPORTED - removal.failed.length));
}

/** Returns an error for each version whose lock prevents its deletion, at the index of the version. */
type LockCheck = (versions: readonly Doomed[]) => Promise<readonly (Failed | undefined)[]>;

/**
 * Returns the check for a dry run with `allVersions`. The check finds nothing in a bucket without Object Lock. It also
 * finds nothing without `dryRun` and `allVersions`.
 */
async function lockCheck(
  { io }: Context,
  daemon: ControlClient,
  { bucket, options }: Pick<Pages, 'bucket' | 'options'>,
): Promise<LockCheck> {
  const isNeeded = options.dryRun && options.allVersions && (await hasLocks(daemon, bucket));
  if (!isNeeded) return async () => [];
  return async (versions) => {
    const refused: (Failed | undefined)[] = [];
    for (let start = 0; start < versions.length; start += LOCKS_AT_ONCE) {
      const objects = versions.slice(start, start + LOCKS_AT_ONCE).map((each) => defined(each));
      const locks = (await daemon.call('versions.locks', { bucket, objects })).objects;
      for (const [index, { key, versionId }] of objects.entries()) {
        const message = lockReason(locks[index] ?? {}, options, io.clock.now());
        const failed = { key, ...defined({ versionId }), code: 'AccessDenied' };
        refused.push(message === undefined ? undefined : { ...failed, message });
      }
    }
    return refused;
  };
}

/** The error codes of a service whose bucket cannot have locks. */
const WITHOUT_LOCKS = new Set(['ObjectLockConfigurationNotFoundError', 'NotImplemented']);

async function hasLocks(daemon: ControlClient, bucket: string): Promise<boolean> {
  try {
    await daemon.call('locks.get', { bucket });
    return true;
  } catch (error) {
    if (!isControlError(error, 'Storage')) throw error;
    return !WITHOUT_LOCKS.has(error.storageCode ?? '');
  }
}

function lockReason(
  { legalHold, retention }: Result<'versions.locks'>['objects'][number],
  { bypassGovernance }: RemoveManyOptions,
  now: number,
): string | undefined {
  if (legalHold) return 'its legal hold is on; lift it first (holdfast lock hold off)';
  if (retention === undefined || retention.retainUntil <= now) return undefined;
  if (retention.mode === 'GOVERNANCE' && bypassGovernance) return undefined;
  return `${retention.mode} until ${zonedTimeText(retention.retainUntil)}`;
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
    const count = found < PAGE ? countText(found, noun) : `${countText(PAGE, noun)} or more`;
    return [`${place.bucket}/${place.key} has ${count}`];
  });
}

interface Printed {
  readonly removal: Removal;
  readonly options: RemoveManyOptions;
  /** When the command started, on the monotonic clock. */
  readonly startedAt: number;
}

async function print(
  context: Context,
  { bucket, key }: Place,
  { removal, options, startedAt }: Printed,
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
    const took = tookText(context.io.clock.monotonic() - startedAt);
    const done = planned ? `would remove ${amount}` : `removed ${amount}${took}${kept}`;
    await context.out.lines(
      ...(planned ?? []).map((each) => nameOf(bucket, each)),
      ...(planned && deleted > planned.length ? [`and ${deleted - planned.length} more`] : []),
      ...(deleted === 0 ? [] : [done]),
      ...failed.map((each) => failureLine(context, nameOf(bucket, each), each)),
      ...(failedCount > failed.length ? [`and ${failedCount - failed.length} more failed`] : []),
    );
  }
  if (failedCount === 0) return EXIT.ok;
  return deleted === 0 ? EXIT.failed : EXIT.attention;
}

function failureLine({ out }: Context, name: string, { message }: Failed): string {
  return `${out.paint('bad', '!')} ${name}: ${messageText(message)}`;
}

function nameOf(bucket: string, { key, versionId }: Doomed): string {
  const version = versionId === undefined ? '' : `  ${visible(versionId)}`;
  return visible(`${bucket}/${key}`) + version;
}
