/**
 * Tests of a home that a newer Holdfast has used. An older release must refuse the home before it
 * changes anything.
 */

import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, it } from 'vitest';

import { startDaemon } from '../../daemon/main.ts';
import { resolveHome } from '../../src/config/home.ts';
import { formatOf, readFixture, setFormat, unpack } from '../formats/fixture.ts';
import { DATABASES } from '../formats/home-fixture.ts';
import { runCli } from '../helpers/run-cli.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';

/**
 * Unpacks a home of the first release, and sets the format number of each database in `newer` to
 * 99.
 */
function homeWithNewer(...newer: readonly (keyof typeof DATABASES)[]): string {
  const folder = temporaryFolder('hf-newer');
  unpack(readFixture('home-01'), folder);
  for (const kind of newer) setFormat(join(folder, 'home', DATABASES[kind]), 99);
  return join(folder, 'home');
}

it('an older release refuses a database of a newer format, names it and a solution, and upgrades no other database', async () => {
  const home = homeWithNewer('identity');
  const refused = startDaemon({ home: resolveHome({ homeFlag: home, env: {}, cwd: '/' }) });
  await expect(refused).rejects.toMatchObject({
    message: expect.stringMatching(/identity\.sqlite has format 99, and this Holdfast reads up to/),
    hint: expect.stringContaining('use the newer Holdfast'),
  });
  expect(formatOf(join(home, DATABASES.store))).toBe(1);
});

it('a daemon sets a damaged monitoring database aside and starts', async () => {
  const home = homeWithNewer();
  writeFileSync(join(home, DATABASES.monitoring), Buffer.alloc(4_096, 0xff), { mode: 0o600 });
  const daemon = await startDaemon({ home: resolveHome({ homeFlag: home, env: {}, cwd: '/' }) });
  await daemon.stop('the test is over');
  expect(existsSync(join(home, `${DATABASES.monitoring}.damaged`))).toBe(true);
});

it('`doctor` reports each database of a newer format', async () => {
  const home = homeWithNewer('store', 'identity', 'state');
  const { exitCode, stdout } = await runCli(['--home', home, 'doctor'], { env: {} });
  expect(exitCode).toBe(1);
  for (const name of ['store', 'identity', 'state'])
    expect(stdout).toMatch(new RegExp(`FAILED +formats: .*${name}\\.sqlite has format 99`));
});

it('a command that needs no daemon reports a database of a newer format without a stack trace', async () => {
  const home = homeWithNewer('identity');
  const { exitCode, stderr } = await runCli(['--home', home, 'admin', 'keys', 'list'], { env: {} });
  expect([exitCode, stderr]).toEqual([1, expect.stringContaining('has format 99')]);
  expect(stderr).not.toContain('    at ');
});
