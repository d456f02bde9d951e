/** Implements `holdfast job queue`. It lists the pending paths of a job and why each is pending. */

import { defined } from '../../../base/defined.ts';
import type { ControlClient } from '../../../control/client.ts';
import type { Params, Result } from '../../../control/messages.ts';
import { EXIT, type ExitCode } from '../../output/command-error.ts';
import type { Context } from '../../context.ts';
import { visible } from '../../output/text.ts';
import { countText } from '../../../text/amounts.ts';
import { timeText } from '../../../text/time.ts';

type Queue = Result<'jobs.queue'>;
type Row = Queue['rows'][number];
type Reason = Row['reason'];

export interface QueueOptions {
  readonly reason?: Reason;
}

const PAGE = 1000;
/** The width of the reason column: the length of the longest reason. */
const REASON_WIDTH = 'conflict'.length;
/** The reasons of pending paths that the job handles without the user. */
const ON_THEIR_WAY: ReadonlySet<string> = new Set<Reason>(['busy', 'waiting', 'retained']);

/** Lists the pending paths. Returns exit code 3 if the job cannot handle one of them without the user. */
export async function listQueue(
  context: Context,
  name: string,
  { reason }: QueueOptions,
): Promise<ExitCode> {
  return context.withDaemon(async (daemon) => {
    let stuck = 0;
    let rows = 0;
    const counted = async function* () {
      for await (const page of pagesOf(daemon, { name, limit: PAGE, ...defined({ reason }) })) {
        rows += page.length;
        stuck += page.filter((row) => !ON_THEIR_WAY.has(row.reason)).length;
        yield page;
      }
    };
    if (context.json) await context.out.jsonList('rows', counted());
    else for await (const page of counted()) await context.out.lines(...page.map(lineOf));
    const isRemarked = !context.json && rows > 0 && stuck === 0;
    const isIdle = isRemarked && (await isPaused(daemon, name));
    await context.remark(isIdle ? pausedRemark(name) : remarkOn(rows, stuck, reason));
    return stuck === 0 ? EXIT.ok : EXIT.attention;
  });
}

async function* pagesOf(
  daemon: ControlClient,
  wish: Params<'jobs.queue'>,
): AsyncGenerator<readonly Row[]> {
  let after: string | undefined;
  do {
    const page: Queue = await daemon.call('jobs.queue', { ...wish, ...defined({ after }) });
    yield page.rows;
    after = page.next;
  } while (after !== undefined);
}

/** Returns a line such as `drifted   a/b.txt  another client changed the object; the file did not change`. */
function lineOf({ reason, path, detail, until }: Row): string {
  const end = until === undefined ? '' : `, until ${timeText(until)}`;
  return `${reason.padEnd(REASON_WIDTH)}  ${visible(path)}  ${visible(detail)}${end}`;
}

async function isPaused(daemon: ControlClient, name: string): Promise<boolean> {
  const { jobs } = await daemon.call('status', {});
  return jobs.some((job) => job.name === name && job.state === 'paused');
}

function pausedRemark(name: string): string {
  return `job ${name} is paused and handles none of these paths: holdfast job resume ${name}`;
}

function remarkOn(rows: number, stuck: number, reason: Reason | undefined): string {
  if (rows === 0) return reason === undefined ? 'nothing is queued' : `no path is ${reason}`;
  if (stuck === 0) return `${countText(rows, 'path')}, all of which the job handles by itself`;
  return `${countText(stuck, 'path')} of ${rows} need an action by the user`;
}
