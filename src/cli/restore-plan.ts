/** `holdfast restore --dry-run`: what would be written, and what would be set aside. */

import type { z } from 'zod';

import { restoreRowSchema } from '../control/methods/restore.ts';
import { EXIT } from './command-error.ts';
import type { ExitCode } from './command-error.ts';
import type { Context } from './context.ts';
import type { Request } from './restore.ts';
import { readRows } from './rows.ts';
import { bytesText, countText, visible } from './text.ts';

type Row = z.infer<typeof restoreRowSchema>;

const MARKS = { new: '+', replace: '~', later: '-', problem: '!' } as const;

/** Each path on a line of its own, in JSON too: there may be millions. */
export async function restorePlan(context: Context, request: Request): Promise<ExitCode> {
  return context.withDaemon(async (daemon) => {
    const { to, stream } = await daemon.call('restore.plan', request);
    const counts = { new: 0, replace: 0, keep: 0, later: 0, problem: 0 };
    let bytes = 0;
    for await (const row of readRows(daemon, { stream, row: restoreRowSchema })) {
      counts[row.is] += 1;
      if (row.is === 'new' || row.is === 'replace') bytes += row.sizeBytes ?? 0;
      if (context.json) await context.out.jsonLine(row);
      else if (row.is !== 'keep') await context.out.lines(rowText(row));
    }
    if (!context.json)
      await context.out.lines(
        `would restore to ${visible(to)}: ${countText(counts.new + counts.replace, 'file')}, ` +
          `${bytesText(bytes)}; ${counts.replace + counts.later} would be set aside, ` +
          `${counts.keep} are there already`,
      );
    return counts.problem > 0 ? EXIT.attention : EXIT.ok;
  });
}

function rowText({ path, is, sizeBytes, message }: Row): string {
  const mark = is === 'keep' ? ' ' : MARKS[is];
  const amount = sizeBytes === undefined ? '' : `  ${bytesText(sizeBytes)}`;
  return `${mark} ${visible(path)}${amount}${message === undefined ? '' : `: ${visible(message)}`}`;
}
