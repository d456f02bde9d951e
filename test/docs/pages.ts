/**
 * Parses the command blocks of the documentation. HTML comments before a block, which readers do not see, control it:
 *
 *     <!-- not run: it needs root -->      the block is never run, but its commands are checked
 *     <!-- needs: rclone -->               the block runs only on machines with these tools
 *     <!-- before: mkdir notes -->         script to run before the block; may have several lines
 *     <!-- output: checked -->             runs a `console` block and compares its output with the output on the page
 */

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export const ROOT = join(import.meta.dirname, '../..');

export interface Block {
  /** Path of the page, such as `docs/explanation/locks.md`. */
  readonly page: string;
  /** Line number of the first command, starting at 1. */
  readonly line: number;
  /** Commands of the block. For a `console` block, only the lines that start with `$ `. */
  readonly script: string;
  /** Reason why the block is not run. Undefined if the block runs. */
  readonly notRun: string | undefined;
  readonly needs: readonly string[];
  /** Script that runs before the block, in the same shell. */
  readonly before: string;
  /** Output that the page shows. Undefined if the output is not checked. */
  readonly output?: string | undefined;
}

/**
 * Paths of all documentation pages. Decision records are not included, because they contain no
 * command blocks.
 */
export const PAGES: readonly string[] = [
  'README.md',
  'CONTRIBUTING.md',
  ...readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md') && !name.startsWith('decisions'))
    .map((name) => `docs/${name}`)
    .toSorted(),
];

export function pageText(page: string): string {
  return readFileSync(join(ROOT, page), 'utf8');
}

const BLOCK = /((?:<!--(?:(?!-->)[^])*-->\s*)*)^```(sh|console)\n([^]*?)^```$/gm;
const REMARK = /<!-- *(not run|needs|before|output):\s*((?:(?!-->)[^])*?)\s*-->/g;
/**
 * Reason why a `console` block without the remark `output` is not run. Other tests check the output
 * that it shows.
 */
const SHOWN = 'it shows the output of one machine on one day';

export function blocksOf(page: string, text = pageText(page)): Block[] {
  return [...text.matchAll(BLOCK)].map((match) => {
    const [whole, remarks = '', language, body = ''] = match;
    const remark = (name: string): string | undefined =>
      [...remarks.matchAll(REMARK)].find((each) => each[1] === name)?.[2];
    const isShown = language === 'console';
    const isChecked = isShown && remark('output') === 'checked';
    const notRun = remark('not run') ?? (isShown && !isChecked ? SHOWN : undefined);
    const aboveLines = text.slice(0, match.index + whole.indexOf('```')).split('\n').length;
    return {
      page,
      line: aboveLines + 1,
      script: isShown ? typed(body) : body,
      notRun,
      needs: remark('needs')?.split(/[, ]+/) ?? [],
      before: remark('before') ?? '',
      output: isChecked ? body.replace(/^\$ .*\n/gm, '') : undefined,
    };
  });
}

const typed = (session: string): string =>
  session
    .split('\n')
    .filter((line) => line.startsWith('$ '))
    .map((line) => `${line.slice(2)}\n`)
    .join('');
