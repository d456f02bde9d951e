/** Implements `holdfast diff`. It compares two versions of a file, or a folder at two times. */

import { defined } from '../../../base/defined.ts';
import type { ControlClient } from '../../../control/client.ts';
import type { FileVersion } from '../../../control/methods/history.ts';
import { type Found, withThing } from '../../arguments/resolve-thing.ts';
import { subjectOf } from '../../arguments/subject.ts';
import { splitVersion } from '../../arguments/thing.ts';
import { parseAt } from '../../arguments/when.ts';
import type { Context } from '../../context.ts';
import { usageError } from '../../output/command-error.ts';
import type { ExitCode } from '../../output/command-error.ts';
import { diffFile } from './diff-file.ts';
import { diffFolder } from './diff-folder.ts';
import type { File, SideAsked } from './file-sides.ts';
import { findVersions } from './file-versions.ts';

export interface DiffOptions {
  readonly from?: string;
  readonly to?: string;
}

const RULES = { ifBoth: 'path', hasVersions: true } as const;

/**
 * Compares two sides. The exit code does not depend on whether there are differences, because the user asked for
 * them.
 */
export async function diff(
  context: Context,
  typed: string | undefined,
  other: string | undefined,
  options: DiffOptions,
): Promise<ExitCode> {
  const { from, to } = timesOf(context, options);
  if (typed === undefined) {
    const asked = { subject: {}, ...defined({ from, to }) };
    return context.withDaemon((daemon) => diffFolder(context, daemon, asked));
  }
  const { name, back } = splitVersion(typed);
  if (back !== undefined && from !== undefined)
    throw usageError(`cannot use --from with ${typed}, which names a version`);
  if (other !== undefined && (from !== undefined || options.to !== undefined))
    throw usageError('cannot use --from or --to when comparing two files');
  return withThing(context, typed, RULES, async (daemon, _, found) => {
    const before: SideAsked = defined({ back: other === undefined ? back : (back ?? 0), at: from });
    const after: SideAsked = defined({ at: to });
    const file = await fileOf(daemon, found, { typed: name, sides: [before, after] });
    if (file && other !== undefined) {
      const second = splitVersion(other);
      const side = { back: second.back ?? 0 };
      return withThing(context, other, RULES, async (daemonOfOther, __, foundOther) => {
        const asked = { typed: second.name, sides: [side] };
        const fileOther = await fileOf(daemonOfOther, foundOther, asked);
        if (!fileOther) throw noFile(other);
        return diffFile(context, { file, asked: before }, { file: fileOther, asked: side });
      });
    }
    if (file) return diffFile(context, { file, asked: before }, { file, asked: after });
    if (other !== undefined || back !== undefined) throw noFile(name);
    const { bucket, key, target } = found;
    const subject =
      found.job !== undefined ? { object: { bucket, key, target } } : subjectOf(context, typed);
    return diffFolder(context, daemon, { typed, subject, ...defined({ from, to }) });
  });
}

function timesOf(context: Context, options: DiffOptions) {
  const now = context.io.clock.now();
  const from = options.from === undefined ? undefined : parseAt(options.from, now);
  const isNow = options.to === undefined || options.to.trim().toLowerCase() === 'now';
  const to = isNow ? undefined : parseAt(options.to ?? '', now);
  if (to !== undefined && from !== undefined && to < from)
    throw usageError('cannot compare: --to is before --from');
  return { from, to };
}

function noFile(typed: string) {
  return usageError(
    `cannot compare ${typed}: it is not a file with versions`,
    'to compare a folder at two times: holdfast diff FOLDER --from TIME --to TIME',
  );
}

interface FileAsked {
  readonly typed: string;
  readonly sides: readonly SideAsked[];
}

/** Reads the versions that the sides need. Returns undefined if the argument is not a file with versions. */
async function fileOf(
  daemon: ControlClient,
  found: Found,
  { typed, sides }: FileAsked,
): Promise<File | undefined> {
  const versions = await findVersions(daemon, found);
  const last = Math.max(1, ...sides.map(({ back = 0 }) => back + 1));
  const earliest = Math.min(...sides.map(({ at = Number.POSITIVE_INFINITY }) => at));
  const rows: FileVersion[] = [];
  for await (const row of versions.rows) {
    rows.push(row);
    if (rows.length > last && row.lastModifiedAt <= earliest) break;
  }
  return rows.length === 0 ? undefined : { typed, rows, versions };
}
