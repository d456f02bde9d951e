/** Reports for each path what a restore would do, without writing anything. */

import { type BigIntStats, existsSync, realpathSync } from 'node:fs';

import { defined } from '../base/defined.ts';
import type { StoredAttributes } from '../mirror/objects/object-metadata.ts';
import { parentOf } from '../mirror/model/local-path.ts';
import { askAhead } from '../base/ask-ahead.ts';
import { attributesIn, appliedInfo } from '../mirror/objects/applied-metadata.ts';
import { hasOtherXattrs, isSameContent } from './compare-local.ts';
import { RestoreFolder } from './restore-folder.ts';
import { withXattrs } from '../mirror/transfer/fetch-xattrs.ts';
import { isOneFile, linkId } from './hard-links.ts';
import { Problems } from './restore-problems.ts';
import { extraPaths } from './remove-later.ts';
import { tableOf } from './restore.ts';
import type { RestoreOptions } from './restore-options.ts';
import type { FileTarget, RestoreTable } from './restore-table.ts';
import { SetAsideFolder } from './set-aside.ts';
import { ExistingNames } from './existing-names.ts';

export interface PreviewRow {
  readonly path: string;
  /**
   * What the restore would do with the path.
   * - `new`: no entry exists there.
   * - `replace`: a different entry exists and would be set aside.
   * - `keep`: an equal entry exists.
   * - `later`: the entry is not in the tree and would be set aside.
   * - `problem`: see `message`.
   */
  readonly is: 'new' | 'replace' | 'keep' | 'later' | 'problem';
  readonly sizeBytes?: number;
  readonly message?: string;
}

const REQUESTS_AT_ONCE = 16;

/**
 * Yields files and links in path order, then `later` rows, then problems. Rejects with the same errors as
 * `restoreTree`.
 */
export async function* previewRestore(options: RestoreOptions): AsyncGenerator<PreviewRow> {
  const problems = new Problems();
  const table = await tableOf(options, problems);
  try {
    yield* previewFiles(options, table);
    if (options.exact && existsSync(options.to)) {
      const { excluder, excluderBase: base = '' } = options;
      const to = realpathSync(options.to);
      for await (const { path, isFolder } of extraPaths({ to, table, excluder, base }))
        yield { path: isFolder ? `${path}/` : path, is: 'later' };
    }
    for (const { path, message } of problems.first) yield { path, is: 'problem', message };
  } finally {
    table.close();
  }
}

async function* previewFiles(
  options: RestoreOptions,
  table: RestoreTable,
): AsyncGenerator<PreviewRow> {
  if (!existsSync(options.to)) {
    for (const { path, sizeBytes } of table.files()) yield { path, is: 'new', sizeBytes };
    return;
  }
  const to = realpathSync(options.to);
  const aside = new SetAsideFolder(to, options.clock.now());
  const restoreFolder = new RestoreFolder({ to, aside, setMtime: () => undefined, exact: false });
  const firstNames = new Map<string, BigIntStats>();
  const existingNames = new ExistingNames();
  const stays = ({ attributes, stats }: KeptFile) =>
    existingNames.assign(attributes, stats) && !isSeparateCopy({ attributes, stats }, firstNames);
  const answers = askAhead(table.files(), REQUESTS_AT_ONCE, async (target) => ({
    target,
    comparison: await compareTarget(target, { options, restoreFolder }),
  }));
  for await (const { target, comparison: found } of answers) {
    const is = found.file && !stays(found.file) ? 'replace' : found.is;
    yield { path: target.path, is, sizeBytes: target.sizeBytes };
  }
}

interface Comparison {
  readonly is: 'new' | 'replace' | 'keep';
  /** The existing file. Present only if the restore would keep it. */
  readonly file?: KeptFile;
}

interface KeptFile {
  readonly attributes: StoredAttributes;
  readonly stats: BigIntStats;
}

/**
 * Returns whether an existing file must become a hard link to another existing file, because both are names of the same
 * file. The first name in path order stays.
 */
function isSeparateCopy(
  { attributes, stats }: KeptFile,
  firstNames: Map<string, BigIntStats>,
): boolean {
  const id = linkId(attributes);
  if (id === undefined) return false;
  const first = firstNames.get(id) ?? stats;
  firstNames.set(id, first);
  return !isOneFile(first, stats);
}

interface Previewing {
  readonly options: RestoreOptions;
  readonly restoreFolder: RestoreFolder;
}

async function compareTarget(
  target: FileTarget,
  { options, restoreFolder }: Previewing,
): Promise<Comparison> {
  // An entry below a link or a file counts as missing, because the link or file would be set aside.
  if (!isRealFolder(parentOf(target.path), restoreFolder)) return { is: 'new' };
  const seen = restoreFolder.statsOf(target.path);
  if (!seen) return { is: 'new' };
  if (Number(seen.size) !== target.sizeBytes) return { is: 'replace' };
  const { key, versionId } = target;
  const signal = options.signal ?? new AbortController().signal;
  const reference = { bucket: options.bucket, key, ...defined({ versionId }) };
  const { info } = await options.store.headObject(reference, { signal });
  const attributes = attributesIn(appliedInfo({ key, info }, options));
  const absolute = restoreFolder.absolute(target.path);
  if (attributes.kind === 'symlink')
    return { is: restoreFolder.isLinkOf(target.path, attributes.sha256) ? 'keep' : 'replace' };
  const isSame = await isSameContent(absolute, seen, { info, attributes }, signal);
  // If the extended attributes cannot be read, the restore reports a problem and keeps the file.
  const whole = await withXattrs(options, attributes, signal).catch(() => undefined);
  if (!isSame || (whole && (await hasOtherXattrs(absolute, whole)))) return { is: 'replace' };
  return { is: 'keep', file: { attributes, stats: seen } };
}

function isRealFolder(path: string, restoreFolder: RestoreFolder): boolean {
  if (path === '') return true;
  if (!isRealFolder(parentOf(path), restoreFolder)) return false;
  return restoreFolder.statsOf(path)?.isDirectory() ?? false;
}
