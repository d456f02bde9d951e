/** Implements `holdfast config reload`, which has the daemon read its configuration again and prints what changed. */

import type { Result } from '../../../control/messages.ts';
import type { Context } from '../../context.ts';
import { visible } from '../../output/text.ts';

const SIGNS = { added: '+', removed: '-', same: ' ' };

export async function configReload(context: Context): Promise<void> {
  const told = await context.withDaemon((daemon) => daemon.call('config.reload', {}));
  if (context.json) return context.out.json(told);
  await context.out.lines(...reloadLines(told));
}

function reloadLines({ diff, jobs, warnings }: Result<'config.reload'>): string[] {
  return [
    ...diff.map(({ is, text }) => `${SIGNS[is]}${visible(text)}`),
    ...jobs.map(({ name, did }) => `job ${visible(name)}: ${did}`),
    ...(jobs.length === 0 ? ['all jobs go on as they were'] : []),
    ...warnings.map((warning) => `! ${visible(warning)}`),
  ];
}
