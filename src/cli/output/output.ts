/** What a command says: lines and tables for people, JSON for programs, colours only where they are seen. */

import { styleText } from 'node:util';
import type { Readable, Writable } from 'node:stream';

import type { Clock } from '../../base/clock.ts';

export type Sink = Writable & { readonly isTTY?: boolean; readonly columns?: number };

/** What the outside is to a command: tests hand in their own. */
export interface Io {
  readonly stdin: Readable;
  readonly stdout: Sink;
  readonly stderr: Sink;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly clock: Clock;
}

/** A colour stands for a meaning, and never carries it alone. */
export type Tone = 'good' | 'attention' | 'bad' | 'dim' | 'strong';

const STYLES = {
  good: 'green',
  attention: 'yellow',
  bad: 'red',
  dim: 'dim',
  strong: 'bold',
} as const;

export type Paint = (tone: Tone, text: string) => string;

export function painter(sink: Sink, env: Io['env']): Paint {
  const coloured = sink.isTTY === true && !env['NO_COLOR'] && env['TERM'] !== 'dumb';
  if (!coloured) return (_tone, text) => text;
  return (tone, text) => styleText(STYLES[tone], text, { validateStream: false });
}

/** Resolves when the sink has taken the text, so that a slow reader slows us; rejects with EPIPE when it is gone. */
function write(sink: Sink, text: string | Uint8Array): Promise<void> {
  return new Promise((resolve, reject) => {
    sink.write(text, (error) => (error ? reject(error) : resolve()));
  });
}

/** For standard error, where nobody may be left to read: then there is nobody to tell. */
export function tell(sink: Sink, text: string): Promise<void> {
  return new Promise((resolve) => {
    sink.write(text, () => resolve());
  });
}

/** The standard output of one command. */
export class Output {
  readonly paint: Paint;
  readonly #sink: Sink;

  constructor(sink: Sink, env: Io['env']) {
    this.#sink = sink;
    this.paint = painter(sink, env);
  }

  async lines(...lines: readonly string[]): Promise<void> {
    if (lines.length > 0) await write(this.#sink, lines.map((line) => `${line}\n`).join(''));
  }

  bytes(chunk: Uint8Array): Promise<void> {
    return write(this.#sink, chunk);
  }

  /** One document over several lines: the whole answer of a command. */
  json(value: unknown): Promise<void> {
    return write(this.#sink, `${JSON.stringify(value, undefined, 2)}\n`);
  }

  /** One document on a line: one of a stream of them. */
  jsonLine(value: unknown): Promise<void> {
    return write(this.#sink, `${JSON.stringify(value)}\n`);
  }

  /** One document `{"NAME": [items…], …rest()}`, written as the pages come: a bucket may hold millions. */
  async jsonList(
    name: string,
    pages: AsyncIterable<readonly unknown[]>,
    rest: () => object = () => ({}),
  ): Promise<void> {
    const rows = pages[Symbol.asyncIterator]();
    // What fails at once has written no half of a document.
    let page = await rows.next();
    await write(this.#sink, `{${JSON.stringify(name)}: [`);
    for (let between = '\n'; !page.done; page = await rows.next()) {
      const text = page.value.map((item) => JSON.stringify(item)).join(',\n');
      if (text === '') continue;
      await write(this.#sink, between + text);
      between = ',\n';
    }
    const members = Object.entries(rest()).map(
      ([key, value]) => `,\n${JSON.stringify(key)}: ${JSON.stringify(value)}`,
    );
    await write(this.#sink, `]${members.join('')}}\n`);
  }
}

export interface Column {
  readonly title: string;
  readonly align?: 'left' | 'right';
}

const COLUMN_GAP = '  ';

/** Rows under their titles. The last column is not padded, so names that are long or wide belong there. */
export function tableLines(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
): string[] {
  const all = [columns.map((column) => column.title), ...rows];
  const widths = columns.map((_, index) =>
    all.reduce((width, row) => Math.max(width, cellsOf(row[index] ?? '')), 0),
  );
  return all.map((row) =>
    columns
      .map((column, index) => {
        const [cell, width] = [row[index] ?? '', widths[index] ?? 0];
        const pad = ' '.repeat(Math.max(0, width - cellsOf(cell)));
        if (column.align === 'right') return pad + cell;
        return index === columns.length - 1 ? cell : cell + pad;
      })
      .join(COLUMN_GAP)
      .trimEnd(),
  );
}

/** How many characters a person counts; a wide one may still take two cells. */
function cellsOf(text: string): number {
  if (/^[ -~]*$/.test(text)) return text.length;
  // Made when it is needed: it takes a tenth of the time that a short command has.
  segmenter ??= new Intl.Segmenter();
  return [...segmenter.segment(text)].length;
}

let segmenter: Intl.Segmenter | undefined;
