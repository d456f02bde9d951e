/**
 * The command blocks of the documentation. What cannot be run says why in a comment before it, which no reader sees:
 *
 *     <!-- not run: it needs root -->      never run; its commands are checked all the same
 *     <!-- needs: rclone -->               run where these tools are
 *     <!-- before: mkdir notes -->         what the block takes for granted; may have several lines
 */

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export const ROOT = join(import.meta.dirname, '../..');

export interface Block {
  /** `docs/locks.md`. */
  readonly page: string;
  /** Of its first command, from 1. */
  readonly line: number;
  /** Of a `console` block, the lines after `$ ` alone. */
  readonly script: string;
  /** Why it is not run. */
  readonly notRun: string | undefined;
  readonly needs: readonly string[];
  /** Run before it, in the same shell. */
  readonly before: string;
}

/** In the order of reading. */
export const PAGES: readonly string[] = [
  'README.md',
  'CONTRIBUTING.md',
  ...readdirSync(join(ROOT, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`)
    .toSorted(),
];

export function pageText(page: string): string {
  return readFileSync(join(ROOT, page), 'utf8');
}

const BLOCK = /((?:<!--(?:(?!-->)[^])*-->\s*)*)^```(sh|console)\n([^]*?)^```$/gm;
const REMARK = /<!-- *(not run|needs|before):\s*((?:(?!-->)[^])*?)\s*-->/g;
/** Blocks of a session show what was answered, too; what they claim has tests of its own. */
const SHOWN = 'it shows answers, which are those of one machine and one day';

export function blocksOf(page: string, text = pageText(page)): Block[] {
  return [...text.matchAll(BLOCK)].map((match) => {
    const [whole, remarks = '', language, body = ''] = match;
    const remark = (name: string): string | undefined =>
      [...remarks.matchAll(REMARK)].find((each) => each[1] === name)?.[2];
    const isShown = language === 'console';
    const notRun = remark('not run') ?? (isShown ? SHOWN : undefined);
    const aboveLines = text.slice(0, match.index + whole.indexOf('```')).split('\n').length;
    return {
      page,
      line: aboveLines + 1,
      script: isShown ? typed(body) : body,
      notRun,
      needs: remark('needs')?.split(/[, ]+/) ?? [],
      before: remark('before') ?? '',
    };
  });
}

const typed = (session: string): string =>
  session
    .split('\n')
    .filter((line) => line.startsWith('$ '))
    .map((line) => `${line.slice(2)}\n`)
    .join('');
