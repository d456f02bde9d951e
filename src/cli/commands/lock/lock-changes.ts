/** Changes the lock of one version, or of the current version of every object below a prefix. */

import type { ControlClient } from '../../../control/client.ts';
import { EXIT, type ExitCode, usageError } from '../../output/command-error.ts';
import type { Context } from '../../context.ts';
import { eachPiece, piecesBelow } from '../s3/each-object.ts';
import { type VersionPlace, withThing } from '../../arguments/resolve-thing.ts';
import { folderOf } from '../../arguments/thing.ts';
import { visible } from '../../output/text.ts';
import { report, type TransferWords } from '../s3/transfer-report.ts';

export interface LockTarget extends VersionPlace {
  readonly dryRun?: boolean;
}

export interface LockChange {
  readonly versionId?: string;
  /** Whether to change the current version of every object below a prefix. */
  readonly recursive?: boolean;
  readonly dryRun?: boolean;
  readonly words: Omit<TransferWords, 'from'> & { readonly doing: string };
  /** The new state of a single object, for the output, such as `until 2027-01-31 00:00:00`. */
  readonly said: string;
  /**
   * Sets the lock of one version. With `dryRun`, only checks that the lock could be set, and
   * rejects if not.
   */
  readonly change: (daemon: ControlClient, target: LockTarget) => Promise<void>;
}

/** Throws a usage error for options that cannot be combined. */
export function checkLockOptions({
  recursive,
  dryRun,
  versionId,
}: Pick<LockChange, 'dryRun' | 'recursive' | 'versionId'>): void {
  if (recursive && versionId !== undefined) {
    throw usageError('cannot use --version-id with --recursive');
  }
  if (dryRun && !recursive) throw usageError('cannot use --dry-run without --recursive');
}

export async function changeLocks(
  context: Context,
  typed: string,
  lockChange: LockChange,
): Promise<ExitCode> {
  const { recursive, dryRun, versionId, change, said, words } = lockChange;
  checkLockOptions(lockChange);
  const rules = { ifBoth: 'refuse', needsKey: !recursive, versionId } as const;
  return withThing(context, typed, rules, async (daemon, place) => {
    if (!recursive) {
      await change(daemon, place);
      if (context.json) await context.out.json({});
      else await context.out.lines(`${visible(typed)}: ${said}`);
      return EXIT.ok;
    }
    const from = folderOf(place);
    const { bucket } = from;
    const transfer = await eachPiece(context, {
      title: words.doing,
      pieces: piecesBelow(daemon, from),
      dryRun,
      work: ({ key }) => change(daemon, { bucket, key }),
      check: ({ key }) => change(daemon, { bucket, key, dryRun: true }),
    });
    return report(context, transfer, { ...words, from });
  });
}
