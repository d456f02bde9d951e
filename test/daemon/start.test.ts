/** The daemon in a process of its own memory limits: they hold under load, and the daemon is the one of `main.ts`. */

import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { makeHome } from '../helpers/daemon-process.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';

const ROOT = join(import.meta.dirname, '../..');

/** Starts a daemon in a process whose program is given, and returns what that says. */
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

test('its space for new objects does not grow, whatever lives in it', () => {
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
  // Pages come and go, also while it is measured first: V8's own would grow far beyond twice what is asked for.
  expect(sizes.largest).toBeLessThan(2 * 8 * 2 ** 20);
});

test('what it was given reaches the daemon, and the daemon is what it returns', () => {
  const home = temporaryFolder('hf-start');
  makeHome(home, 0, `jobs:\n  - folder: ${home}\n`);
  const told = run(
    home,
    `const refused = await startDaemon({ home, storeOnly: true }).then(() => '', ({ message }) => message);
     say({ refused });`,
  );
  expect(told).toEqual({ refused: expect.stringMatching(/job/) });
});

test('an unreadable configuration is an error, and leaves nothing open', () => {
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
