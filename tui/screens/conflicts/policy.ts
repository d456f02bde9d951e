/** Sets a job's conflict policy in `config.yaml`. */

import type { Ui } from '../../ui/ui.ts';
import { MenuOverlay } from '../../widgets/menu.ts';

/** The policies by their names in the configuration, which calls the bucket `remote`. */
const POLICIES = {
  'keep-both': { name: 'both', does: "keep the local file; ask about the bucket's version" },
  local: { name: 'local', does: 'keep the local file, without a question' },
  remote: {
    name: 'bucket',
    does: "keep the bucket's version; the local content is saved first",
  },
  ask: { name: 'ask', does: 'change nothing until you answer' },
} as const;

type Policy = keyof typeof POLICIES;

const POLICY_NAMES = Object.keys(POLICIES) as Policy[];

export async function choosePolicy(ui: Ui, job: string): Promise<void> {
  const { settings, defaults } = await ui.call('jobs.get', { name: job });
  const current = settings['conflict'] ?? defaults['conflict'];
  const items = POLICY_NAMES.map((name) => {
    const policy = POLICIES[name];
    return {
      title: `${policy.name}: ${policy.does}`,
      why: name === current ? 'current' : undefined,
      run: () => change(ui, job, { from: settings['conflict'], to: name }),
    };
  });
  ui.openOverlay(new MenuOverlay(ui, `Conflicts of ${ui.look.name(job)}`, items));
}

interface Change {
  readonly from: unknown;
  readonly to: Policy;
}

async function change(ui: Ui, job: string, { from, to }: Change): Promise<void> {
  await write(ui, job, to);
  ui.notifyUndoable(`${job}: conflict policy ${POLICIES[to].name}, for conflicts from now on`, () =>
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
