/** The action `notification`: a message on the desktop, by the program that the system has for it. */

import type { Transition } from '../alarm.ts';
import { done, failed, type Outcome } from './outcome.ts';
import type { ActionTools } from './perform.ts';
import { runProgram } from './run-program.ts';

/** The desktop answers at once, or not at all. */
const TIMEOUT_MS = 10_000;

export async function notifyDesktop(
  transition: Transition,
  { clock, environment, folder, platform }: ActionTools,
  signal: AbortSignal,
): Promise<Outcome> {
  const argv = platform === 'darwin' ? appleScript(transition) : notifySend(transition);
  const program = { argv, folder, environment, timeoutMs: TIMEOUT_MS };
  const { how, exitCode, output } = await runProgram(program, clock, signal);
  if (how === 'exited' && exitCode === 0) return done('shown');
  if (how === 'missing') return failed(`${argv[0]} is not installed on this machine`);
  return failed(`${argv[0]} ${how}${exitCode === undefined ? '' : ` with ${exitCode}`}: ${output}`);
}

function notifySend(transition: Transition): string[] {
  const urgency = transition.to === 'ALARM' ? 'critical' : 'normal';
  const [title, body] = texts(transition);
  // Many desktops read the body as markup.
  const plain = body.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  return ['notify-send', '--app-name=Holdfast', `--urgency=${urgency}`, '--', title, plain];
}

/** The texts are arguments of the script, never a part of it. */
function appleScript(transition: Transition): string[] {
  const lines = [
    'on run argv',
    'display notification (item 2 of argv) with title (item 1 of argv)',
    'end run',
  ];
  return ['osascript', ...lines.flatMap((line) => ['-e', line]), '--', ...texts(transition)];
}

function texts({ alarm, from, to, reason, isTest }: Transition): [title: string, body: string] {
  const title = `${isTest ? 'Test: ' : ''}${alarm.name}: ${to}`;
  return [title, `${alarm.bucket}, was ${from}: ${reason}`];
}
