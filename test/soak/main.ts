/**
 * `npm run test:soak [-- --minutes N] [-- --deeds N] [-- --burst FILES] [-- --seed S] [-- --variant embedded|remote]
 * [-- --keep] [-- --follow]`: runs a job with other writers and random failures, and checks the result. With `--deeds`,
 * the run ends after N changes in the folder instead of N minutes. With `--burst`, some changes are bursts that change
 * up to FILES files at once. The program prints its seed. The same seed makes the same changes, but not at the same
 * times. Exit code 1 means that data was lost or differs.
 */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { audit } from './auditor.ts';
import { History } from './history.ts';
import { runSoak, settingOf, type SoakReport } from './soak.ts';
import { SmallDisk } from './small-disk.ts';
import type { Variant } from './machines.ts';

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '1' },
    deeds: { type: 'string' },
    burst: { type: 'string', default: '0' },
    seed: { type: 'string', default: String(process.pid) },
    variant: { type: 'string', multiple: true, default: ['embedded', 'remote'] },
    times: { type: 'string', default: '100' },
    keep: { type: 'boolean', default: false },
    follow: { type: 'boolean', default: false },
  },
});
const TAIL_LINES = 60;
const SHOWN = 30;
/** The average time between two changes in the folder. A burst takes the job longer than another change. */
const DEED_EVERY_MS = 15;
const DEED_WITH_BURSTS_EVERY_MS = 250;

const say = (text: string): void => void process.stdout.write(`${text}\n`);

for (const variant of values.variant) {
  if (variant !== 'embedded' && variant !== 'remote')
    throw new Error(`read --variant: ${variant} is neither embedded nor remote`);
  if (!(await soakOnce(variant))) process.exitCode = 1;
}

async function soakOnce(variant: Variant): Promise<boolean> {
  const seed = Number(values.seed);
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-soak-'));
  const { bucket, drift } = settingOf(seed);
  const length = values.deeds ? `${values.deeds} changes` : `${values.minutes} minutes`;
  say(`${variant}, seed ${seed}, ${length}: ${bucket} bucket, drift ${drift}`);
  const disk = variant === 'embedded' ? SmallDisk.mount(join(folder, 'disk')) : undefined;
  if (variant === 'embedded' && !disk)
    say('the disk will not be full: only root may mount a small disk');
  const history = new History(values.follow ? say : undefined);
  try {
    const report = await runSoak({
      folder,
      seed,
      variant,
      history,
      life: values.deeds
        ? { deeds: Number(values.deeds) }
        : { ms: Number(values.minutes) * 60_000 },
      burst: Number(values.burst),
      deedEveryMs: values.burst === '0' ? DEED_EVERY_MS : DEED_WITH_BURSTS_EVERY_MS,
      troubleEveryMs: 2_000,
      times: Number(values.times),
      audit: (what) => audit(what, say),
      ...(disk && { disk }),
    });
    printReport(report, history, folder);
    return report.findings.length === 0;
  } finally {
    disk?.unmount();
    if (!values.keep) rmSync(folder, { recursive: true, force: true });
  }
}

function printReport(report: SoakReport, history: History, folder: string): void {
  const { findings, versions, acknowledged, foreign, covered, restores, sentTwice, bursts } =
    report;
  say(
    `${bursts} bursts; ${versions} versions, ${foreign} by a stranger, ${covered} of them covered; ` +
      `${sentTwice} sent twice; ${acknowledged} acknowledgements; ${restores} restores: ` +
      `${findings.length} findings`,
  );
  if (findings.length === 0) return;
  for (const finding of findings.slice(0, SHOWN)) say(`  ${finding}`);
  const file = join(tmpdir(), `${folder.split('/').at(-1)}.history`);
  writeFileSync(file, `${history.all().join('\n')}\n`);
  say(`the end of the history; the whole history is in ${file}`);
  for (const line of history.tail(TAIL_LINES)) say(line);
  const length = values.deeds ? `--deeds ${values.deeds}` : `--minutes ${values.minutes}`;
  say(`to repeat: npm run test:soak -- --seed ${values.seed} ${length} --burst ${values.burst}`);
}
