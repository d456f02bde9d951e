/** The palette commands `:restore JOB [PATH]` and `:restores`. */

import type { Phrase } from '../../ui/phrase.ts';
import { openRestore } from './open-restore.ts';
import { RunsScreen } from './runs-screen.ts';

export const RESTORE_PHRASES: readonly Phrase[] = [
  {
    name: 'restore',
    usage: 'restore JOB [PATH]',
    title: 'browse a folder as of an earlier time, and restore it',
    needsArgument: true,
    complete: (ui, argument) =>
      ui.status.jobs.map(({ name }) => `${name} `).filter((name) => name.startsWith(argument)),
    run: (ui, argument) => {
      const [job = ''] = argument.split(' ');
      openRestore(ui, job, argument.slice(job.length).trim());
    },
  },
  {
    name: 'restores',
    usage: 'restores',
    title: 'running and recent restores',
    run: (ui) => ui.router.open(new RunsScreen(ui)),
  },
];
