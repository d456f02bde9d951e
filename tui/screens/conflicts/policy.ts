/** Sets the conflict policy of a job in `config.yaml`. */

import type { Ui } from '../../ui/ui.ts';
import { MenuOverlay } from '../../widgets/menu.ts';

const POLICIES = {
  'keep-both': 'the local side is kept; you decide about the version of the bucket',
  local: 'the local side is kept, and nothing is left to decide',
  remote: 'the version of the bucket is kept; the local bytes are saved first',
  ask: 'nothing is changed until you answer',
} as const;

type Policy = keyof typeof POLICIES;

const NAMES = Object.keys(POLICIES) as Policy[];

export async function choosePolicy(ui: Ui, job: string): Promise<void> {
  const { settings, defaults } = await ui.call('jobs.get', { name: job });
  const current = settings['conflict'] ?? defaults['conflict'];
  const items = NAMES.map((name) => {
    return {
      title: `${name}: ${POLICIES[name]}`,
      why: name === current ? 'as it is now' : undefined,
      run: () => change(ui, job, { from: settings['conflict'], to: name }),
    };
  });
  ui.openOverlay(new MenuOverlay(ui, `Conflicts of ${ui.look.name(job)}`, items));
}

interface Change {
  readonly from: unknown;
  readonly to: unknown;
}

async function change(ui: Ui, job: string, { from, to }: Change): Promise<void> {
  await write(ui, job, to);
  ui.notifyUndoable(`${job}: conflict policy ${String(to)}, for conflicts from now on`, () =>
    write(ui, job, from ?? null),
  );
}

async function write(ui: Ui, job: string, conflict: unknown): Promise<void> {
  const { problems } = await ui.call('jobs.edit', {
    name: job,
    changes: { conflict },
    dryRun: false,
  });
  const [problem] = problems;
  if (problem) throw new Error(`edit job ${job}: ${problem.message}`);
}
