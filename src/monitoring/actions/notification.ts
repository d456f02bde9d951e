/**
 * Implements the `notification` action. It shows a desktop notification with `osascript` on macOS
 * and with `notify-send` on other systems.
 */

import type { Notice } from './notice.ts';
import { done, failed, type Outcome } from './outcome.ts';
import type { ActionTools } from './perform.ts';
import { runProgram } from './run-program.ts';

/** The time limit for a notification program. Such programs normally exit immediately. */
const TIMEOUT_MS = 10_000;

export async function notifyDesktop(
  notice: Notice,
  { clock, environment, folder, platform }: ActionTools,
  signal: AbortSignal,
): Promise<Outcome> {
  const argv = platform === 'darwin' ? appleScript(notice) : notifySend(notice);
  const program = { argv, folder, environment, timeoutMs: TIMEOUT_MS };
  const { how, exitCode, output } = await runProgram(program, clock, signal);
  if (how === 'exited' && exitCode === 0) return done('shown');
  if (how === 'missing') return failed(`${argv[0]} is not installed on this machine`);
  return failed(`${argv[0]} ${how}${exitCode === undefined ? '' : ` with ${exitCode}`}: ${output}`);
}

function notifySend({ isUrgent, title, body }: Notice): string[] {
  const urgency = isUrgent ? 'critical' : 'normal';
  // Many desktops interpret the body as markup, so it is escaped.
  const plain = body.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  return ['notify-send', '--app-name=Holdfast', `--urgency=${urgency}`, '--', title, plain];
}

/**
 * Returns the command for macOS. The texts are passed as script arguments, so that they cannot
 * inject code.
 */
function appleScript({ title, body }: Notice): string[] {
  const lines = [
    'on run argv',
    'display notification (item 2 of argv) with title (item 1 of argv)',
    'end run',
  ];
  return ['osascript', ...lines.flatMap((line) => ['-e', line]), '--', title, body];
}
