/** `holdfast jobs review|approve|reject|accept-root`: what a job held back until its owner has looked. */

import { defined } from '../base/defined.ts';
import type { ControlClient } from '../control/client.ts';
import type { Context } from './context.ts';
import { stateText } from './job-text.ts';
import { countText, visible } from './text.ts';

const PAGE = 1000;

export async function reviewJob(context: Context, name: string): Promise<void> {
  await context.withDaemon(async (daemon) => {
    const pages = heldDeletes(daemon, name);
    if (context.json) return context.out.jsonList('paths', pages);
    let count = 0;
    for await (const paths of pages) {
      count += paths.length;
      await context.out.lines(...paths.map((path) => visible(path)));
    }
    context.io.stderr.write(count === 0 ? `job ${name} holds no deletes\n` : wayOut(name, count));
  });
}

async function* heldDeletes(
  daemon: ControlClient,
  name: string,
): AsyncGenerator<readonly string[]> {
  let after: string | undefined;
  do {
    const page = await daemon.call('jobs.review', { name, limit: PAGE, ...defined({ after }) });
    yield page.paths;
    after = page.next;
  } while (after !== undefined);
}

function wayOut(name: string, count: number): string {
  return (
    `${countText(count, 'delete')} held: \`holdfast jobs approve ${name}\` deletes them in the bucket too, ` +
    `\`holdfast jobs reject ${name}\` leaves their objects alone for good\n`
  );
}

export async function decideDeletes(
  context: Context,
  name: string,
  decision: 'approve' | 'reject',
): Promise<void> {
  const result = await context.withDaemon((daemon) => daemon.call(`jobs.${decision}`, { name }));
  if (context.json) return context.out.json(result);
  const deletes = countText(result.deletes, 'delete');
  await context.out.lines(
    decision === 'approve'
      ? `approved ${deletes} of job ${name}; in a versioned bucket the versions stay below markers`
      : `rejected ${deletes} of job ${name}; the objects stay, and the job no longer knows them`,
  );
}

export async function acceptRoot(context: Context, name: string): Promise<void> {
  const job = await context.withDaemon((daemon) => daemon.call('jobs.acceptRoot', { name }));
  if (context.json) return context.out.json(job);
  await context.out.lines(
    `accepted the folder of job ${name} as it is now: ${stateText(job, context.out.paint)}`,
  );
}
