/** Tests of `startDaemon` in a separate process: it limits the memory for new objects, and passes its options on. */

import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { makeHome } from '../helpers/daemon-process.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';

const ROOT = join(import.meta.dirname, '../..');

/** Runs a program that starts a daemon in a separate process. Returns the JSON that the program prints. */
function run(home: string, program: string): unknown {
  const code = `
    import { getHeapSpaceStatistics } from 'node:v8';
    import { resolveHome } from ${JSON.stringify(join(ROOT, 'src/config/home.ts'))};
    import { startDaemon } from ${JSON.stringify(join(ROOT, 'daemon/start.ts'))};
    const home = resolveHome({ homeFlag: ${JSON.stringify(home)}, env: {}, cwd: "/" });
    const newSpace = () => getHeapSpaceStatistics().find((each) => each.space_name === 'new_space').space_size;
    const say = (what) => console.log(JSON.stringify(what));
    ${program}`;
  const node = [...process.execArgv, '--input-type=module', '--eval', code];
  const { stdout, stderr, status } = spawnSync(process.execPath, node, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`run daemon: exit code ${status}: ${stderr}`);
  return JSON.parse(stdout);
}

test('the V8 new space of a daemon does not grow while many objects are alive', () => {
  const home = temporaryFolder('hf-start');
  makeHome(home);
  const sizes = run(
    home,
    `const before = newSpace();
     const daemon = await startDaemon({ home });
     const started = newSpace();
     const living = [];
     let largest = 0;
     for (let step = 0; step < 50; step++) {
       living.push(Array.from({ length: 10_000 }, (_, index) => ({ index })));
       largest = Math.max(largest, newSpace());
     }
     await daemon.stop('the test is over');
     say({ before, started, largest });`,
  ) as Record<'before' | 'started' | 'largest', number>;
  expect(sizes.started).toBeGreaterThanOrEqual(sizes.before);
  // V8 adds and frees pages of the new space at any time, so three times the limit of 16 MiB are allowed. Without the limit,
  // the space would grow far beyond that.
  expect(sizes.largest).toBeLessThan(3 * 16 * 2 ** 20);
});

test('startDaemon passes its options on: with storeOnly, it refuses a home with jobs', () => {
  const home = temporaryFolder('hf-start');
  makeHome(home, 0, `jobs:\n  - folder: ${home}\n`);
  const told = run(
    home,
    `const refused = await startDaemon({ home, storeOnly: true }).then(() => '', ({ message }) => message);
     say({ refused });`,
  );
  expect(told).toEqual({ refused: expect.stringMatching(/job/) });
});

test('startDaemon fails for an invalid configuration and closes everything, so that a second start succeeds', () => {
  const home = temporaryFolder('hf-start');
  makeHome(home);
  const whole = 'storage:\n  port: 0\n';
  writeFileSync(join(home, 'config.yaml'), 'storage: [');
  const told = run(
    home,
    `import { writeFileSync } from 'node:fs';
     const refused = await startDaemon({ home }).then(() => '', ({ name }) => name);
     writeFileSync(home.configFile, ${JSON.stringify(whole)});
     const daemon = await startDaemon({ home });
     await daemon.stop('the test is over');
     say({ refused, pid: daemon.pid === process.pid });`,
  );
  expect(told).toEqual({ refused: 'ConfigError', pid: true });
});
