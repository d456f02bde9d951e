/**
 * `npm run test:crash -- [--rounds N] [--seed S] [--files N] [--writers N]`: runs N rounds of the crash test, and then
 * kills a restore N times. It prints its random seed. The same seed makes the same changes, but not at the same times.
 */

import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { crashRounds } from './helpers/crash-rounds.ts';
import { killedRestores } from './helpers/killed-restores.ts';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '50' },
    files: { type: 'string', default: '2000' },
    writers: { type: 'string', default: '4' },
    seed: { type: 'string', default: String(process.pid) },
  },
});
const folder = mkdtempSync(join(tmpdir(), 'holdfast-crash-'));
const rounds = Number(values.rounds);
process.stdout.write(
  `seed ${values.seed}, ${rounds} rounds, ${values.files} files, ${values.writers} writers\n`,
);
const report = await crashRounds({
  folder,
  rounds,
  files: Number(values.files),
  writers: Number(values.writers),
  seed: Number(values.seed),
  onRound: (round, acknowledged, inFlight) =>
    process.stdout.write(
      `round ${round}: killed with ${inFlight} uploads in flight; ` +
        `${acknowledged} versions acknowledged so far\n`,
    ),
});
const { lost, different, orphans, problems, acknowledged, bulkKills } = report;
process.stdout.write(
  `${acknowledged} acknowledged versions: ${lost.length} lost; ${different.length} files differ; ` +
    `${orphans} orphans; ${problems.length} problems of the store; ` +
    `${bulkKills} kills hit a bulk write\n`,
);
mkdirSync(join(folder, 'restores'));
const restores = await killedRestores({
  folder: join(folder, 'restores'),
  restores: rounds,
  files: Number(values.files),
  seed: Number(values.seed),
  onRestore: (restore, isComplete, { complete, temporary }) =>
    process.stdout.write(
      `restore ${restore}: ${isComplete ? 'complete' : 'killed'}; ` +
        `${complete} files complete, ${temporary} temporary\n`,
    ),
});
process.stdout.write(
  `${restores.killed} of ${rounds} restores killed while they wrote: ` +
    `${restores.wrong.length} wrong files; ${restores.different.length} differences after complete restores\n`,
);
const bad = [...lost, ...different, ...problems, ...restores.wrong, ...restores.different];
if (bad.length + orphans > 0) {
  process.stdout.write(`kept for inspection: ${folder}\n${bad.join('\n')}\n`);
  process.exitCode = 1;
} else rmSync(folder, { recursive: true, force: true });
