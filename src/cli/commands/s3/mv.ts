/** Implements `holdfast s3 mv`. It renames an object or all objects below a prefix. */

import type { ExitCode } from '../../output/command-error.ts';
import { usageError } from '../../output/command-error.ts';
import type { Context } from '../../context.ts';
import { renameAcross } from './cp-across.ts';
import { type KeyOptions, readKeyFile } from '../../arguments/key-file.ts';
import { folderOf, parseSide } from '../../arguments/thing.ts';
import { report } from './transfer-report.ts';

export interface MoveOptions extends KeyOptions {
  readonly recursive?: boolean;
  readonly dryRun?: boolean;
  readonly overwrite?: boolean;
}

export async function move(
  context: Context,
  { from, to }: { readonly from: string; readonly to: string },
  { recursive = false, dryRun = false, overwrite = false, keyFile }: MoveOptions,
): Promise<ExitCode> {
  const startedAt = context.io.clock.monotonic();
  const [source, target] = [parseSide(context, from), parseSide(context, to)];
  if (source.kind === 'file' || target.kind === 'file') {
    throw usageError(
      `cannot rename ${from} to ${to}: the command renames objects, not files`,
      'copy files by `holdfast s3 cp`, which leaves them where they are',
    );
  }
  const sides = { from: source.place, to: target.place };
  const customerKey = await readKeyFile(context, keyFile);
  const renaming = { recursive, dryRun, overwrite, customerKey };
  const transfer = await renameAcross(context, sides, renaming);
  return report(context, transfer, {
    did: 'renamed',
    would: 'rename',
    startedAt,
    from: folderOf(source.place),
  });
}
