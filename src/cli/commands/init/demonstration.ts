/** Shows the dashboard with sample files in a temporary home folder. */

import { mkdir, mkdtemp, rm, unlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { Context } from '../../context.ts';
import { dashboard } from '../daemon/dashboard.ts';
import { stopRunning } from '../daemon/down.ts';
import { startDaemon } from '../daemon/start-daemon.ts';

const JOB = 'documents';

/** The contents of the sample files over time. Null deletes a file. */
const HISTORY: readonly Readonly<Record<string, string | null>>[] = [
  {
    'plan.md': '# Plan\n\n1. Back up this folder.\n',
    'letters/ann.txt': 'Dear Ann,\n\nthe photos are attached.\n',
    'letters/draft.txt': 'To whom it may concern\n',
    'photos/2026/harbour.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>\n',
  },
  {
    'plan.md': '# Plan\n\n1. Back up this folder. Done.\n2. Delete a file, and get it back.\n',
    'letters/ann.txt': 'Dear Ann,\n\nhere are the photos of the harbour.\n',
  },
  {
    'plan.md': '# Plan\n\n2. Delete a file, and get it back: press u on it in the dashboard.\n',
    'letters/draft.txt': null,
  },
];

/** Starts a daemon with the sample job, opens the dashboard, and removes everything when the user quits. */
export async function demonstrate({ io, options }: Context): Promise<void> {
  const place = await mkdtemp(join(tmpdir(), 'holdfast-demonstration-'));
  const home = join(place, 'home');
  const { config: _, ...rest } = options;
  const context = new Context(io, { ...rest, home });
  try {
    await mkdir(home, { mode: 0o700 });
    const folder = join(place, JOB);
    await mkdir(folder);
    const job = { name: JOB, folder, bucket: JOB, lock: { mode: 'GOVERNANCE', days: 30 } };
    // The configuration is written as JSON, because JSON is valid YAML.
    const config = JSON.stringify({ storage: { port: 0 }, jobs: [job] });
    await writeFile(join(home, 'config.yaml'), config, { mode: 0o600 });
    await startDaemon(context);
    for (const [index, contents] of HISTORY.entries()) {
      await context.remark(`preparing sample files (${index + 1} of ${HISTORY.length})`);
      await write(folder, contents);
      await context.withDaemon((daemon) => daemon.call('jobs.settled', { name: JOB }));
    }
    await context.withDaemon((daemon) => daemon.call('proof.drill', { name: JOB }));
    await dashboard(context);
  } finally {
    await stopRunning(context);
    await rm(place, { recursive: true, force: true });
  }
}

async function write(folder: string, contents: Readonly<Record<string, string | null>>) {
  for (const [path, text] of Object.entries(contents)) {
    const file = join(folder, path);
    await mkdir(dirname(file), { recursive: true });
    await (text === null ? unlink(file) : writeFile(file, text));
  }
}
