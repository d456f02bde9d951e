/** Changes the lock of one version, or of the current version of every object below a prefix. */

import { defined } from '../../../base/defined.ts';
import type { ControlClient } from '../../../control/client.ts';
import { EXIT, type ExitCode, usageError } from '../../output/command-error.ts';
import type { Context } from '../../context.ts';
import { eachPiece, piecesBelow } from '../s3/each-object.ts';
import { parseObjectPlace, parsePlace } from '../../arguments/place.ts';
import { folderPrefix } from '../../arguments/sides.ts';
import { visible } from '../../output/text.ts';
import { report, type TransferWords } from '../s3/transfer-report.ts';

export interface LockTarget {
  readonly bucket: string;
  readonly key: string;
  readonly versionId?: string;
}

export interface LockChange {
  readonly versionId?: string;
  /** Whether the current version of every object below a prefix is changed. */
  readonly recursive?: boolean;
  readonly dryRun?: boolean;
  readonly words: Omit<TransferWords, 'from'> & { readonly doing: string };
  /** The new state of a single object, for the output: `until 2027-01-31 00:00:00`. */
  readonly said: string;
  readonly change: (daemon: ControlClient, target: LockTarget) => Promise<void>;
}

export async function changeLocks(
  context: Context,
  typed: string,
  lockChange: LockChange,
): Promise<ExitCode> {
  const { recursive, dryRun, versionId, change, said } = lockChange;
  if (recursive && versionId !== undefined) {
    throw usageError('--version-id: it names a version of one object, not of many');
  }
  if (dryRun && !recursive) throw usageError('--dry-run: it is for --recursive');
  if (recursive) return changeAll(context, typed, lockChange);
  const place = parseObjectPlace(typed);
  await context.withDaemon((daemon) => change(daemon, defined({ ...place, versionId })));
  if (context.json) await context.out.json({});
  else await context.out.lines(`${visible(typed)}: ${said}`);
  return EXIT.ok;
}

function changeAll(
  context: Context,
  typed: string,
  { dryRun, words, change }: LockChange,
): Promise<ExitCode> {
  const { bucket, key } = parsePlace(typed);
  const from = { bucket, key: folderPrefix(key) };
  return context.withDaemon(async (daemon) => {
    const transfer = await eachPiece(context, {
      title: words.doing,
      pieces: piecesBelow(daemon, from),
      dryRun,
      work: (piece) => change(daemon, { bucket, key: piece.key }),
    });
    return report(context, transfer, { ...words, from });
  });
}
