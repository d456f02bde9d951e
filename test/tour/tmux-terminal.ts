/** A tmux terminal in which the tour runs. */

import { execFileSync } from 'node:child_process';

import { NAMED_KEYS } from '../helpers/tui/named-keys.ts';
import type { TourTerminal } from '../helpers/tui/tour.ts';
import { until } from '../helpers/until.ts';

/** Socket of a separate tmux server. The sessions and settings of the user remain unchanged. */
const SOCKET = 'holdfast-tour';

const tmux = (...argv: readonly string[]): string =>
  execFileSync('tmux', ['-L', SOCKET, '-f', '/dev/null', ...argv], { encoding: 'utf8' });

export class TmuxTerminal implements TourTerminal {
  /** Starts a terminal that runs the shell command `command`. */
  constructor(command: string, { columns = 80, rows = 24 } = {}) {
    const size = ['-x', String(columns), '-y', String(rows)];
    tmux('new-session', '-d', '-s', 'tour', ...size, command);
    // Keeps the last screen readable after the program has ended.
    tmux('set-option', '-g', 'remain-on-exit', 'on');
  }

  type(text: string): void {
    for (const [index, line] of text.split('\r').entries()) {
      if (index > 0) tmux('send-keys', '-t', 'tour', 'Enter');
      if (line !== '') tmux('send-keys', '-t', 'tour', '-l', line);
    }
  }

  press(keys: string): void {
    for (const key of keys.split(' ').filter(Boolean)) {
      const ctrl = /^ctrl-(.)$/.exec(key)?.[1];
      const bytes = NAMED_KEYS[key] ?? key;
      tmux('send-keys', '-t', 'tour', ...(ctrl ? [`C-${ctrl}`] : ['-l', bytes]));
    }
  }

  waitFor(wanted: string | RegExp): Promise<string> {
    const isThere = (text: string) =>
      typeof wanted === 'string' ? text.includes(wanted) : wanted.test(text);
    return until(() => this.text(), isThere);
  }

  text(): string {
    return tmux('capture-pane', '-p', '-t', 'tour');
  }

  close(): void {
    tmux('kill-server');
  }
}
