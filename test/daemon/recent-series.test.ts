/**
 * Tests of the recent metric values that the daemon returns for charts, with a real job and a
 * restart.
 */

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { startDaemon } from '../../daemon/main.ts';
import type { Clock } from '../../src/base/clock.ts';
import { systemClock } from '../../src/base/clock.ts';
import { MINUTE_MS } from '../../src/base/durations.ts';
import { resolveHome } from '../../src/config/home.ts';
import { connectControl, type ControlClient } from '../../src/control/client.ts';
import { ShiftedClock } from '../helpers/shifted-clock.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import { until } from '../helpers/until.ts';

const TEXT = 'a note';

async function withDaemon(
  root: string,
  clock: Clock,
  use: (client: ControlClient) => Promise<void>,
): Promise<void> {
  const home = resolveHome({ homeFlag: root, env: {}, cwd: '/' });
  const daemon = await startDaemon({ home, clock });
  const client = await connectControl({ socketPath: home.socketPath, clientName: 'test' });
  try {
    await use(client);
  } finally {
    client.close();
    await daemon.stop('the test is over');
  }
}

test('after a restart, the charts still show what a job transferred earlier, and the size of its bucket', async () => {
  const folder = temporaryFolder('recent');
  const root = join(folder, 'home');
  mkdirSync(root, { mode: 0o700 });
  mkdirSync(join(folder, 'notes'));
  writeFileSync(join(folder, 'notes/a.txt'), TEXT);
  writeFileSync(
    join(root, 'config.yaml'),
    `storage: {port: 0}
jobs:
  - {name: notes, folder: "${join(folder, 'notes')}", bucket: notes}
`,
    { mode: 0o600 },
  );
  await withDaemon(root, systemClock, async (client) => {
    await until(
      () => client.call('status', {}),
      ({ jobs }) => jobs[0]?.inSync === true,
    );
  });
  const clock = new ShiftedClock();
  clock.putForward(2 * MINUTE_MS);
  await withDaemon(root, clock, async (client) => {
    const series = async (metric: 'bytes' | 'versions', job?: string) => {
      const { values } = await client.call('throughput.series', {
        metric,
        span: 'hour',
        ...(job === undefined ? {} : { job }),
      });
      expect(values).toHaveLength(60);
      return values.filter((value) => value !== null);
    };
    expect(Math.max(...(await series('bytes')))).toBeGreaterThanOrEqual(TEXT.length);
    expect(await series('versions', 'notes')).toContain(1);
    const sizes = await client.call('metrics.recent', { bucket: 'notes', span: 'day' });
    expect(sizes.values).toHaveLength(96);
    expect(Math.max(...sizes.values.map((value) => value ?? 0))).toBeGreaterThan(0);
    await expect(series('bytes', 'photos')).rejects.toThrow('unknown job "photos"');
    const unknown = client.call('metrics.recent', { bucket: 'photos', span: 'day' });
    await expect(unknown).rejects.toThrow('unknown bucket "photos"');
  });
});
