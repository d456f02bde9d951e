/** Implements `holdfast admin restore-state DIR`. It restores a backup of `backup-state` to this home folder. */

import { CommandError } from '../../output/command-error.ts';
import type { Context } from '../../context.ts';
import { visible } from '../../output/text.ts';
import { countText } from '../../../text/amounts.ts';
import { timeText } from '../../../text/time.ts';

/**
 * Returns what the command would replace, for the confirmation. Returns undefined if the home folder has no state
 * yet.
 */
export async function replacedState(context: Context): Promise<string | undefined> {
  const { hasState } = await import('../../../../daemon/offline/restore-state.ts');
  const home = await context.home();
  return hasState(home) ? `replace the state of this home (${home.configFile})` : undefined;
}

export async function restoreState(context: Context, typed: string): Promise<void> {
  await checkNoDaemonRuns(context);
  const loaded = await import('../../../../daemon/offline/restore-state.ts');
  const stamp = new Date(context.io.clock.now()).toISOString().replaceAll(/[-:]|\.\d+/g, '');
  const folder = context.path(typed);
  const { manifest, aside } = await loaded.restoreState(await context.home(), folder, stamp);
  if (context.json) return context.out.json({ folder, ...manifest, aside });
  await context.out.prose(
    `restored ${countText(manifest.files.length, 'file')} of ${timeText(manifest.createdAt)}, by holdfast ${manifest.version}`,
    ...aside.map((path) => `set aside ${visible(path)}`),
    'each job compares its folder with its bucket when it starts: holdfast up',
  );
}

async function checkNoDaemonRuns(context: Context): Promise<void> {
  const daemon = await context.connectIfRunning();
  if (!daemon) return;
  daemon.close();
  throw new CommandError(
    'Conflict',
    `restore state: a daemon runs, pid ${daemon.hello.pid}`,
    'stop it first: holdfast down',
  );
}
