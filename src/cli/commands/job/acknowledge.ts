/**
 * Implements `holdfast job acknowledge`. Until the given time, an acknowledged problem does not put its job at risk.
 */

import { usageError } from '../../output/command-error.ts';
import { defined } from '../../../base/defined.ts';
import { DAY_MS } from '../../../base/durations.ts';
import type { Context } from '../../context.ts';
import { stateText } from '../../output/job-text.ts';
import { visible } from '../../output/text.ts';
import { timeText } from '../../../text/time.ts';
import { parseDuration } from '../../arguments/when.ts';

export interface AcknowledgeOptions {
  readonly note?: string;
  readonly for: string;
  readonly withdraw?: boolean;
}

const LONGEST_MS = 365 * DAY_MS;

export async function acknowledge(
  context: Context,
  name: string,
  path: string,
  { note, for: duration, withdraw }: AcknowledgeOptions,
): Promise<void> {
  if (!withdraw && note === undefined)
    throw usageError(
      `cannot acknowledge the problem of ${visible(path)}: a note is missing`,
      'state the reason: --note "the program rebuilds this cache"',
    );
  const acknowledgement =
    withdraw || note === undefined
      ? undefined
      : { note, until: context.io.clock.now() + parseDuration(duration, LONGEST_MS) };
  const job = await context.withDaemon((daemon) =>
    daemon.call('jobs.acknowledge', { name, path, ...defined({ acknowledgement }) }),
  );
  if (context.json) return context.out.json(job);
  const what = `the problem of ${visible(path)}`;
  const done = acknowledgement
    ? `acknowledged ${what} until ${timeText(acknowledgement.until)}`
    : `withdrew the acknowledgement of ${what}`;
  await context.out.lines(`${done}: job ${name} is ${stateText(job, context.out.paint)}`);
}
