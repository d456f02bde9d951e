/** Tests how `holdfast down` detects the end of the daemon. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';

import { expect, onTestFinished, test } from 'vitest';

import { isAlive } from '../../../src/cli/commands/daemon/down.ts';
import { until } from '../../helpers/until.ts';

test.runIf(existsSync('/proc/self/stat'))(
  'a process that has ended counts as ended, even if its parent does not read its exit code',
  async () => {
    // The program `sleep 60` replaces the shell, and does not wait for the process that the shell
    // started.
    const parent = spawn('sh', ['-c', 'sleep 0.2 & echo $!; exec sleep 60'], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    onTestFinished(() => void parent.kill());
    const [output] = (await once(parent.stdout, 'data')) as [Buffer];
    const pid = Number(output.toString());
    expect(isAlive(pid)).toBe(true);
    await until(
      () => isAlive(pid),
      (alive) => !alive,
    );
    expect(() => process.kill(pid, 0)).not.toThrow();
  },
);
