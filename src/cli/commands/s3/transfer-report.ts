/** Prints the outcome of a command on many objects, and returns its exit code. */

import type { Result } from '../../../control/messages.ts';
import { EXIT } from '../../output/command-error.ts';
import type { ExitCode } from '../../output/command-error.ts';
import type { Context } from '../../context.ts';
import { foundNothing } from './found-nothing.ts';
import type { Place } from '../../arguments/thing.ts';
import { bytesText, countText, numberText } from '../../../text/amounts.ts';
import { tookText } from '../../../text/time.ts';
import { withHomeOption } from '../../../text/pasted-commands.ts';
import { messageText, visible } from '../../output/text.ts';

export type Transfer = Result<'prefixes.copy'>;
export type FailedTransfer = Transfer['failed'][number];

export const RIGHTS_LOST =
  'the permissions of other users could not be kept: grant them again with `holdfast s3 acl`';

export interface TransferWords {
  /** The past tense of the verb, such as `copied` or `renamed`. */
  readonly did: string;
  /** The infinitive of the verb, such as `copy` or `rename`. */
  readonly would: string;
  /** The bucket and prefix of the source objects, or the folder of the source files. */
  readonly from: Place | { readonly folder: string };
  /** When the command started, on the monotonic clock. */
  readonly startedAt?: number;
}

/**
 * Prints counts and failures. Returns `attention` if some objects failed, and `failed` if all objects
 * failed.
 */
export async function report(
  context: Context,
  transfer: Transfer,
  { did, would, from, startedAt }: TransferWords,
): Promise<ExitCode> {
  const { objects, bytes, failedCount, planned, versionsStay, rightsKept } = transfer;
  const isNothing = objects + failedCount === 0;
  if (isNothing) {
    if ('bucket' in from) await foundNothing(context, { place: from, goal: would });
    else await context.remark(visible(`nothing to ${would}: folder ${from.folder} holds no files`));
  }
  if (context.json) await context.out.json(transfer);
  else if (!isNothing) {
    const amount = `${countText(objects, 'object')}, ${bytesText(bytes)}`;
    const ms = context.io.clock.monotonic() - (startedAt ?? Infinity);
    const rest = [tookText(ms), failedCount > 0 ? `; ${numberText(failedCount)} failed` : ''].join(
      '',
    );
    await context.out.lines(
      ...plannedLines(transfer),
      ...(objects === 0 && failedCount > 0
        ? []
        : [planned === undefined ? `${did} ${amount}${rest}` : `would ${would} ${amount}`]),
      ...(versionsStay ? ['older versions, and their locks, stay under the old names'] : []),
      ...(rightsKept === false ? [withHomeOption(RIGHTS_LOST, context.homeOption)] : []),
      ...failureLines(context, transfer),
    );
  }
  if (failedCount === 0) return EXIT.ok;
  return objects === 0 ? EXIT.failed : EXIT.attention;
}

function plannedLines({ planned = [], objects }: Transfer): string[] {
  const lines = planned.map(({ from, to }) => `${visible(from)} → ${visible(to)}`);
  const rest = objects - planned.length;
  return rest > 0 && planned.length > 0 ? [...lines, `and ${rest} more`] : lines;
}

/** Returns a line for every entry of `failed`, and a line with the number of further failures. */
function failureLines(context: Context, { failed, failedCount }: Transfer): string[] {
  const { paint } = context.out;
  const lines = failed.map(
    ({ from, message }) => `${paint('bad', '!')} ${visible(from)}: ${messageText(message)}`,
  );
  const rest = failedCount - failed.length;
  return rest > 0 ? [...lines, `and ${rest} more failed`] : lines;
}
