/**
 * Copies text to the clipboard in two ways: through the terminal (OSC 52), which also works over ssh, and through a
 * local program.
 */

import { execFile } from 'node:child_process';

type Env = Readonly<Record<string, string | undefined>>;

/** Terminals accept 74,994 bytes of base64. They silently discard a longer text. */
const MOST_OSC_BYTES = 74_994;
const PROGRAM_TIMEOUT_MS = 3_000;

interface Program {
  readonly name: string;
  readonly args: readonly string[];
  readonly needs?: string;
}

const PROGRAMS: readonly Program[] = [
  { name: 'wl-copy', args: [], needs: 'WAYLAND_DISPLAY' },
  { name: 'xclip', args: ['-selection', 'clipboard'], needs: 'DISPLAY' },
  { name: 'pbcopy', args: [] },
];

/**
 * Copies the text and returns the name of the method that worked. Terminals do not confirm an OSC 52 sequence, so a
 * clipboard program receives the text, too. Rejects if no method works.
 */
export async function copyText(
  text: string,
  env: Env,
  write: (sequence: string) => void,
): Promise<string> {
  const byProgram = await copyByProgram(text, env);
  const sequence = osc52(text, env);
  if (sequence !== undefined) write(sequence);
  if (byProgram !== undefined) return byProgram;
  if (sequence !== undefined) return 'by the terminal, if it allows that';
  throw new Error(`copy: ${text.length} characters are too many for the terminal`);
}

function osc52(text: string, env: Env): string | undefined {
  const encoded = Buffer.from(text).toString('base64');
  if (encoded.length > MOST_OSC_BYTES) return undefined;
  const sequence = `\u{1b}]52;c;${encoded}\u{7}`;
  // tmux forwards sequences in a special wrapper. `screen` has no safe way to forward them.
  if (!env['TMUX']) return sequence;
  return `\u{1b}Ptmux;${sequence.replaceAll('\u{1b}', '\u{1b}\u{1b}')}\u{1b}\\`;
}

async function copyByProgram(text: string, env: Env): Promise<string | undefined> {
  for (const { name, args, needs } of PROGRAMS) {
    if (needs !== undefined && !env[needs]) continue;
    if (await ran(name, args, text)) return `by ${name}`;
  }
  return undefined;
}

function ran(name: string, args: readonly string[], input: string): Promise<boolean> {
  return new Promise((resolve) => {
    const child = execFile(name, args, { timeout: PROGRAM_TIMEOUT_MS }, (error) => resolve(!error));
    child.stdin?.on('error', () => undefined);
    child.stdin?.end(input);
  });
}
