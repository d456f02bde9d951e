/**
 * Runs the benchmarks: `npm run bench [-- --only NAME] [--full] [--json FILE]`. Prints each figure with a reference
 * figure that was measured in the same run. If a goal is missed, the program prints this but does not fail. `--full`
 * adds measurements that take minutes. `--only` can be repeated.
 */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { benchAccess } from './access.ts';
import { benchAnswers } from './answers.ts';
import { benchBulk } from './bulk.ts';
import { benchCalls } from './calls.ts';
import { benchDashboard } from './dashboard.ts';
import { benchDistance } from './distance.ts';
import { benchEmbedded } from './embedded.ts';
import { benchEvents } from './events.ts';
import { benchHostile } from './hostile.ts';
import { benchKeys } from './keys.ts';
import { benchLarge, benchMemory } from './large.ts';
import { benchLatency } from './latency.ts';
import { benchLifecycle } from './lifecycle.ts';
import { benchLargeMirror, benchMirror } from './mirror.ts';
import { benchMixed } from './mixed.ts';
import { installPeers } from './peers.ts';
import type { PeerName } from './peers.ts';
import { benchDistantRestore, benchRestores } from './restores.ts';
import { print } from './row.ts';
import type { Row } from './row.ts';
import { benchSmall, benchSustained } from './small.ts';
import { benchSsec } from './ssec.ts';
import { benchStart } from './start.ts';
import { benchMovedFolder, benchWatched } from './watched.ts';

interface Run {
  /** The working folder of one benchmark. It is removed when the benchmark ends. */
  readonly folder: string;
  readonly full: boolean;
}

/**
 * The benchmarks in the order in which they run. Other S3 servers are installed when the first benchmark needs them.
 */
const PARTS: Readonly<Record<string, (run: Run) => Promise<Row[]>>> = {
  small: ({ folder, full }) => benchSmall(folder, full ? 20_000 : 8_000, peers('fauxqs', 's3rver')),
  sustained: ({ folder, full }) => benchSustained(folder, full ? 60 : 15),
  mixed: ({ folder, full }) => benchMixed(folder, full ? 60 : 5),
  keys: ({ folder, full }) =>
    benchKeys(folder, full ? [10_000, 100_000, 1_000_000] : [10_000, 100_000], peers('fauxqs')),
  large: ({ folder }) => benchLarge(folder, peers('s3rver')),
  access: async ({ folder, full }) => [
    ...(await benchAccess(folder, full ? 8_000 : 3_000)),
    ...(await benchHostile(folder)),
  ],
  bulk: ({ folder, full }) => benchBulk(folder, full ? 50_000 : 10_000),
  ssec: ({ folder, full }) => benchSsec(folder, full ? 8_000 : 3_000),
  memory: ({ folder, full }) => benchMemory(folder, full ? 1024 : 256),
  mirror: async ({ folder, full }) => [
    ...(await benchMirror(folder, { files: 10_000, fileBytes: 4096 })),
    ...(full ? await benchMirror(folder, { files: 100_000, fileBytes: 1024 }) : []),
    ...(full ? await benchLargeMirror(folder) : []),
  ],
  embedded: ({ folder, full }) => benchEmbedded(folder, full),
  restore: ({ folder, full }) => benchRestores(folder, full),
  answers: ({ folder, full }) => benchAnswers(folder, full ? 300_000 : 50_000),
  'distant-restore': ({ folder }) => benchDistantRestore(folder),
  calls: ({ folder }) => benchCalls(folder),
  distance: ({ folder }) => benchDistance(folder),
  watched: ({ folder, full }) => benchWatched(folder, full ? 1_000_000 : 100_000),
  events: ({ folder }) => benchEvents(folder, 100_000),
  moved: ({ folder, full }) =>
    benchMovedFolder(folder, { files: 10_000, fileBytes: full ? 100_000 : 10_000 }),
  latency: ({ folder }) => benchLatency(folder, 100),
  lifecycle: ({ folder, full }) => benchLifecycle(folder, full ? 1_000_000 : 100_000),
  start: ({ folder }) => benchStart(folder),
  dashboard: ({ folder, full }) => benchDashboard(folder, full ? 1_000_000 : 100_000),
};

function peers(...names: PeerName[]): readonly PeerName[] {
  return installPeers() ? names : [];
}

const { values } = parseArgs({
  options: {
    only: { type: 'string', multiple: true, default: Object.keys(PARTS) },
    full: { type: 'boolean', default: false },
    json: { type: 'string' },
  },
});
const unknown = values.only.filter((name) => !(name in PARTS));
if (unknown.length > 0) {
  throw new Error(
    `run bench: no part ${unknown.join(', ')}; there are ${Object.keys(PARTS).join(', ')}`,
  );
}

const rows: Row[] = [];
for (const [name, part] of Object.entries(PARTS)) {
  if (!values.only.includes(name)) continue;
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-bench-'));
  try {
    const found = await part({ folder, full: values.full });
    found.forEach(print);
    rows.push(...found);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
if (values.json) writeFileSync(values.json, `${JSON.stringify(rows, undefined, 2)}\n`);
const asked = rows.filter((each) => each.goal);
const missed = asked.filter((each) => !each.met).length;
process.stdout.write(`${asked.length} goals, ${asked.length - missed} met, ${missed} missed\n`);
