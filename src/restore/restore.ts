/** Restores the tree below a bucket's prefix, as it is now or was at a past time, into a folder. */

import { realpathSync } from 'node:fs';
import { join, relative } from 'node:path';

import { defined } from '../base/defined.ts';
import { failureReason } from '../base/disk-error.ts';
import { errorCode } from '../base/errors.ts';
import type { ListingGap } from '../object-store/listing.ts';
import { makeFolder, makeFolders } from '../mirror/local/held-folder.ts';
import { MirrorError } from '../mirror/model/mirror-error.ts';
import type { Problem } from '../mirror/model/types.ts';
import { RestoreFolder, UNFINISHED_FOLDER_MODE } from './restore-folder.ts';
import { Problems } from './restore-problems.ts';
import { extraPaths, removeExtra } from './remove-later.ts';
import { listTree } from '../mirror/objects/version-listing.ts';
import { RestoreRun } from './restore-run.ts';
import type { RunParts, RestoreOptions, RestoreReport } from './restore-options.ts';
import type { RestoreTable } from './restore-table.ts';
import { placeKeys, type TreeObjects } from './restore-targets.ts';
import { nothingStored } from './nothing-stored.ts';
import { ReplaceStored } from './replace-stored.ts';
import { listSelected } from './selected-paths.ts';
import { SetAsideFolder, type WayMaker } from './set-aside.ts';
import { loadSetMtime } from '../mirror/local/set-mtime.ts';
import { loadSyncFile } from './shared-sync.ts';
import { checkSpace, explained } from './target-space.ts';

const EARLY_SHOWN = 10;
const UNPROVEN_SHOWN = 100;

/**
 * Restores a tree into the folder `to`. Never writes outside that folder or through a link, leaves no partial files
 * under their final names, and loses no local file (see mirror.md §7). A later run continues an interrupted restore. An
 * error that concerns one path becomes a problem in the report. An error that would affect every path (no space, no
 * connection) rejects. Rejects with MirrorError `NothingToRestore`, `NoRoom` or `TargetFailed`, StorageError,
 * TransportError, a system error, or the signal's reason.
 */
export async function restoreTree(options: RestoreOptions): Promise<RestoreReport> {
  const startedAt = options.clock.monotonic();
  const problems = new Problems();
  const table = await tableOf(options, problems);
  try {
    await checkSpace(options, table);
    const report = await restoreTable(options, table, problems);
    const { files, kept, bytes, aside, problemCount } = report;
    const ms = Math.round(options.clock.monotonic() - startedAt);
    const fields = { to: options.to, files, kept, bytes, aside, problems: problemCount, ms };
    options.logger.info(fields, 'restored');
    return report;
  } catch (error) {
    throw explained(error, options, table);
  } finally {
    table.close();
  }
}

/** Lists a restore's objects into a table. The caller must close the table. */
export async function tableOf(options: RestoreOptions, problems: Problems): Promise<RestoreTable> {
  let isWhole = true;
  const onGap = (gap: ListingGap) => {
    isWhole = false;
    problems.add(gapProblem(gap));
  };
  const where = { ...options, onGap };
  const { objects: given, paths } = options;
  const listing = given ?? (paths ? listSelected(where, paths) : listTree(where));
  const objects = counted(listing, options.onProgress);
  const table = await placeKeys(objects, options, problems.add);
  const refusal = options.exact === true ? exactRefusal(options, table, isWhole) : undefined;
  const isNothing = table.isEmpty() && table.root === undefined && problems.count === 0;
  if (refusal === undefined && !(isNothing && options.objects === undefined)) return table;
  table.close();
  if (isNothing) throw await nothingStored(options);
  throw new MirrorError('NothingToRestore', `cannot restore into ${options.to}: ${refusal}`);
}

/**
 * Yields the objects and reports progress. Listing a past time can take long, because it may read the upload times of
 * many versions.
 */
async function* counted(objects: TreeObjects, onProgress: RestoreOptions['onProgress']) {
  let listed = 0;
  for await (const object of objects) {
    yield object;
    onProgress?.({ files: 0, bytes: 0, listed: ++listed });
  }
}

/**
 * Returns why `--exact` is refused; undefined if it is allowed. It is refused if the tree is incomplete, is empty, or
 * consists of a single file, because `--exact` would then set aside local files that should stay.
 */
function exactRefusal(
  { path }: RestoreOptions,
  table: RestoreTable,
  isWhole: boolean,
): string | undefined {
  if (!isWhole)
    return 'not all objects can be listed, so --exact would set aside files that are in the bucket';
  if (table.isEmpty())
    return '--exact would empty the folder, because the bucket had nothing at that time';
  if (path === undefined || !table.has(path.slice(path.lastIndexOf('/') + 1))) return undefined;
  return `--exact is only for folders, but ${path} was a file`;
}

function gapProblem({ from, to }: ListingGap): Problem {
  const what =
    to === `${from}\0`
      ? `older versions of ${from}`
      : `objects from ${JSON.stringify(from)} ${to === undefined ? 'on' : `to ${JSON.stringify(to)}`}`;
  const message = `cannot list ${what}: pages of store.sqlite are damaged; run holdfast admin store repair, then restore again`;
  return { path: from, code: 'failed', message };
}

async function restoreTable(
  options: RestoreOptions,
  table: RestoreTable,
  problems: Problems,
): Promise<RestoreReport> {
  const { isNew, to } = makeTarget(options);
  const [setMtime, sync] = [await loadSetMtime(), await loadSyncFile(to)];
  const aside = wayMaker(options, to);
  const exact = options.exact ?? false;
  const restoreFolder = new RestoreFolder({ to, aside, setMtime, exact });
  const parts: RunParts = { aside, restoreFolder, isNew, table, problems, setMtime, sync };
  const run = new RestoreRun(options, parts);
  try {
    const counts = await run.run(async () => {
      if (!exact) return;
      const { excluder, excluderBase: base = '' } = options;
      for await (const extra of extraPaths({ to, table, excluder, base }))
        await attempt(extra.path, problems, () => removeExtra(extra, to, aside));
    });
    return {
      ...counts,
      aside: aside.count,
      saved: aside.saved,
      ...defined({ asideFolder: aside.folder }),
      early: table.early(EARLY_SHOWN),
      ...defined({ unproven: table.unproven(UNPROVEN_SHOWN) }),
      undated: problems.countOf('undated'),
      problems: problems.first,
      problemCount: problems.count,
    };
  } finally {
    await aside.sync(sync);
  }
}

/**
 * Returns how local entries are replaced. A restore in place stores local files as versions, and a restore to another
 * folder sets them aside.
 */
function wayMaker(options: RestoreOptions, to: string): WayMaker {
  const { root, saveLocal, clock, signal = NEVER } = options;
  const now = clock.now();
  if (!saveLocal || root === undefined) return new SetAsideFolder(to, now);
  const base = relative(realpathSync(root), to);
  return new ReplaceStored({ to, base, saveLocal, signal, now });
}

const NEVER = new AbortController().signal;

function isNotSaved(error: unknown): boolean {
  return error instanceof MirrorError && error.code === 'NotSaved';
}

/** Creates the target folder. Returns its absolute path without symbolic links. */
function makeTarget({ to, root }: RestoreOptions): {
  readonly to: string;
  readonly isNew: boolean;
} {
  const isNew = makeFolder(root ?? to, UNFINISHED_FOLDER_MODE);
  if (root === undefined) return { to: realpathSync(to), isNew };
  const [real, path] = [realpathSync(root), relative(root, to)];
  if (path === '') return { to: real, isNew };
  return { to: join(real, path), isNew: makeFolders(real, path, UNFINISHED_FOLDER_MODE) };
}

/** Runs `work`. If it throws a system error, the local file stays in place and a problem is reported. */
async function attempt(path: string, problems: Problems, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (errorCode(error) === undefined && !isNotSaved(error)) throw error;
    problems.add({
      path,
      code: 'failed',
      message: `cannot set aside ${path}: ${failureReason(error)}`,
    });
  }
}
