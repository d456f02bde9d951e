/** Whether there is a terminal that the dashboard can be drawn on. */

type Env = Readonly<Record<string, string | undefined>>;

export interface Streams {
  readonly stdin: NodeJS.ReadStream;
  readonly stdout: NodeJS.WriteStream;
}

/** Why the plain report is shown instead; undefined when the dashboard can be. */
export function whyPlain(streams: Streams, env: Env): string | undefined {
  if (!streams.stdout.isTTY) return 'the output is not a terminal';
  // Ink reads keys in raw mode, and crashes on a stdin that has none.
  if (!streams.stdin.isTTY || typeof streams.stdin.setRawMode !== 'function') {
    return 'the input is not a terminal';
  }
  if (env['TERM'] === 'dumb' || !env['TERM']) return 'the terminal cannot place its cursor';
  if (env['INK_SCREEN_READER'] === 'true') return 'a screen reader is used';
  return undefined;
}
