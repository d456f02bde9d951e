/**
 * `npm run check`, after the build: runs the static checks one after the other, and all tests at the same time. The
 * tests often wait for processes and timers, and the static checks use the cores meanwhile. If a static check fails,
 * the tests are stopped. The output of the static checks follows that of the tests. The arguments are those of
 * `vitest run`.
 */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants, setPriority } from 'node:os';

const STATIC_CHECKS = ['format:check', 'types', 'lint', 'dead-code'];

interface Outcome {
  readonly passed: boolean;
  readonly text: string;
}

/** Runs a script of package.json with a low priority, so that it does not delay the timers of the tests. */
async function outcomeOf(script: string): Promise<Outcome> {
  const child = spawn('npm', ['run', '--silent', script], { stdio: ['ignore', 'pipe', 'pipe'] });
  if (child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_BELOW_NORMAL);
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  const [code] = (await once(child, 'close')) as [number | null];
  const passed = code === 0;
  return { passed, text: `npm run ${script}: ${passed ? 'passed' : 'failed'}\n${output.trim()}\n` };
}

const tests = spawn('vitest', ['run', ...process.argv.slice(2)], { stdio: 'inherit' });
const ended = once(tests, 'close') as Promise<[number | null]>;
const outcomes: Outcome[] = [];
for (const script of STATIC_CHECKS) {
  const outcome = await outcomeOf(script);
  outcomes.push(outcome);
  if (outcome.passed) continue;
  // Vitest stops its running tests and their processes on this signal.
  tests.kill('SIGINT');
  break;
}
const [code] = await ended;
for (const { text } of outcomes) console.log(text);
process.exitCode = code === 0 && outcomes.every(({ passed }) => passed) ? 0 : 1;
