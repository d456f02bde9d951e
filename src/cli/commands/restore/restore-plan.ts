/** Implements `holdfast restore --dry-run`. It lists what would be written and what would be replaced. */

import { type RestoreRow, restoreRowSchema } from '../../../control/methods/restore.ts';
import { readRows } from '../../../control/rows.ts';
import { EXIT } from '../../output/command-error.ts';
import type { ExitCode } from '../../output/command-error.ts';
import type { Context } from '../../context.ts';
import type { Request } from './restore.ts';
import { bytesText, countText } from '../../../text/amounts.ts';
import { timeText } from '../../../text/time.ts';
import { visible } from '../../output/text.ts';

/** Returns the message for a folder that was empty at the requested time or is empty now. */
export function emptyText({ at }: Pick<Request, 'at'>): string {
  return at === undefined
    ? 'nothing to restore: the folder was empty; for files that were deleted: --at TIME'
    : `nothing to restore: the folder was empty at ${timeText(at)}`;
}

const MARKS = { new: '+', replace: '~', later: '-', problem: '!' } as const;

export async function restorePlan(context: Context, request: Request): Promise<ExitCode> {
  return context.withDaemon(async (daemon) => {
    const { to, stream } = await daemon.call('restore.plan', request);
    const printer = new PlanPrinter(context, request);
    for await (const row of readRows(daemon, { stream, row: restoreRowSchema }))
      await printer.print(row);
    return printer.end(to);
  });
}

/**
 * Prints one line for each path (one event with `--json`), because there may be millions of paths. Prints a summary at
 * the end.
 */
export class PlanPrinter {
  readonly #context: Context;
  readonly #request: Pick<Request, 'at'>;
  readonly #counts = { new: 0, replace: 0, keep: 0, later: 0, problem: 0 };
  #bytes = 0;

  constructor(context: Context, request: Pick<Request, 'at'>) {
    this.#context = context;
    this.#request = request;
  }

  async print(row: RestoreRow): Promise<void> {
    const { json, out } = this.#context;
    this.#counts[row.is] += 1;
    if (row.is === 'new' || row.is === 'replace') this.#bytes += row.sizeBytes ?? 0;
    if (json) await out.jsonEvent(row);
    else if (row.is !== 'keep') await out.lines(rowText(row));
  }

  async end(to: string): Promise<ExitCode> {
    const { json, out } = this.#context;
    const { new: fresh, replace, later, keep, problem } = this.#counts;
    const isEmpty = fresh + replace + later + keep + problem === 0;
    if (json) await out.json({ to, bytes: this.#bytes, ...this.#counts });
    else if (isEmpty) await out.lines(`${out.paint('attention', '!')} ${emptyText(this.#request)}`);
    else
      await out.lines(
        `would restore to ${visible(to)}: ${countText(fresh + replace, 'file')}, ` +
          `${bytesText(this.#bytes)}; ${replace} would be replaced, ${later} removed, ` +
          `${keep} are already up to date`,
      );
    return problem > 0 || isEmpty ? EXIT.attention : EXIT.ok;
  }
}

function rowText({ path, is, sizeBytes, message }: RestoreRow): string {
  const mark = is === 'keep' ? ' ' : MARKS[is];
  const amount = sizeBytes === undefined ? '' : `  ${bytesText(sizeBytes)}`;
  return `${mark} ${visible(path)}${amount}${message === undefined ? '' : `: ${visible(message)}`}`;
}
