/** Checks whether the terminal supports the full-screen dashboard. */

type Env = Readonly<Record<string, string | undefined>>;

export interface Streams {
  readonly stdin: NodeJS.ReadStream;
  readonly stdout: NodeJS.WriteStream;
}

/**
 * Returns why the plain report is shown instead, or undefined if the terminal supports the
 * full-screen dashboard.
 */
export function whyPlain(streams: Streams, env: Env): string | undefined {
  if (!streams.stdout.isTTY) return 'the output is not a terminal';
  // Ink reads keys in raw mode, and crashes if stdin does not support it.
  if (!streams.stdin.isTTY || typeof streams.stdin.setRawMode !== 'function') {
    return 'the input is not a terminal';
  }
  if (env['TERM'] === 'dumb' || !env['TERM']) return 'the terminal cannot place its cursor';
  if (env['INK_SCREEN_READER'] === 'true') return 'a screen reader is in use';
  return undefined;
}
