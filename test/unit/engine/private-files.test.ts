/**
 * Tests that only the user who runs Holdfast can access its files: objects, permissions, secrets,
 * time series.
 */

import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

import { expect, onTestFinished, test } from 'vitest';

import { silentLogger } from '../../../src/base/logger.ts';
import { openSqliteIdentity } from '../../../src/identity/sqlite-identity.ts';
import { openMonitoring } from '../../../src/monitoring/monitoring.ts';
import { bytesBody } from '../../../src/object-store/body.ts';
import { FakeClock } from '../../helpers/fake-clock.ts';
import { temporaryFolder } from '../../helpers/temporary-folder.ts';
import { openTestEngine, patternBytes } from '../../helpers/test-engine.ts';

/**
 * Sets the umask of the process until the test ends, so that the tester's own umask has no effect.
 */
function withUmask(mask: number): void {
  const before = process.umask(mask);
  onTestFinished(() => void process.umask(before));
}

function modes(folder: string): readonly string[] {
  const entries = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return entries.map((name) => {
    const stats = statSync(join(folder, name));
    const others = (stats.mode & 0o077).toString(8);
    return `${name}: others have ${others}`;
  });
}

test('[private-1] only the owner of a store can access the files and folders that Holdfast creates for it', async () => {
  withUmask(0);
  const { store, dir } = await openTestEngine();
  await store.createBucket({ bucket: 'box' });
  await store.putObject({ bucket: 'box', key: 'small', body: bytesBody('x') });
  await store.putObject({ bucket: 'box', key: 'large', body: bytesBody(patternBytes(200_000)) });
  const found = modes(dir);
  expect(found.length).toBeGreaterThan(5);
  expect(found.filter((each) => !each.endsWith(' 0'))).toEqual([]);
});

test('[private-1] Holdfast creates the identity and time series files with access only for their owner', async () => {
  withUmask(0);
  const folder = temporaryFolder('private');
  const clock = new FakeClock();
  const identity = openSqliteIdentity({ path: join(folder, 'identity.sqlite'), clock });
  onTestFinished(() => identity.close());
  identity.ensureFirstUser({ user: 'ada' });
  const monitoring = openMonitoring({
    path: join(folder, 'monitoring.sqlite'),
    clock,
    logger: silentLogger,
    numbersOf: () => undefined,
    perform: () => Promise.resolve({ ok: true, said: '' }),
  });
  onTestFinished(() => monitoring.close());
  const found = modes(folder);
  expect(found).not.toEqual([]);
  expect(found.filter((each) => !each.endsWith(' 0'))).toEqual([]);
});
