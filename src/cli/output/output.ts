/** Writes the output of commands: lines and tables for people, JSON for programs, and colors only on terminals. */

import { styleText } from 'node:util';
import type { Readable, Writable } from 'node:stream';

import type { Clock } from '../../base/clock.ts';

export type Sink = Writable & { readonly isTTY?: boolean; readonly columns?: number };

/** The environment of a command: its streams, variables, working directory and clock. Tests pass their own. */
export interface Io {
  readonly stdin: Readable;
  readonly stdout: Sink;
  readonly stderr: Sink;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly clock: Clock;
}

/** The meaning of a color. The text expresses the same meaning without the color. */
export type Tone = 'good' | 'attention' | 'bad' | 'dim' | 'strong';

const STYLES = {
  good: 'green',
  attention: 'yellow',
  bad: 'red',
  dim: 'dim',
  strong: 'bold',
} as const;

export type Paint = (tone: Tone, text: string) => string;

/**
 * Returns a function that colors text. It does not if the sink is not a terminal, or if NO_COLOR or `TERM=dumb` is set.
 */
export function painter(sink: Sink, env: Io['env']): Paint {
  const coloured = sink.isTTY === true && !env['NO_COLOR'] && env['TERM'] !== 'dumb';
  if (!coloured) return (_tone, text) => text;
  return (tone, text) => styleText(STYLES[tone], text, { validateStream: false });
}

/**
 * Resolves when the sink has written the text, so that a slow reader slows the command. Rejects with EPIPE if the
 * reader exited.
 */
function write(sink: Sink, text: string | Uint8Array): Promise<void> {
  return new Promise((resolve, reject) => {
    sink.write(text, (error) => (error ? reject(error) : resolve()));
  });
}

/**
 * Resolves when the sink has written the text or failed to. For standard error: a failure could not be reported
 * anywhere.
 */
export function writeNote(sink: Sink, text: string): Promise<void> {
  return new Promise((resolve) => {
    sink.write(text, () => resolve());
  });
}

/** Writes the standard output of one command. */
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

  /** Writes one indented JSON document, which is the complete result of a command. */
  json(value: unknown): Promise<void> {
    return write(this.#sink, `${jsonText(value, 2)}\n`);
  }

  /** Writes one JSON document on one line, as part of a stream of documents. */
  jsonLine(value: unknown): Promise<void> {
    return write(this.#sink, `${jsonText(value)}\n`);
  }

  /**
   * Writes one JSON document `{"NAME": [items…], …rest()}`. Writes each page as it arrives, because a bucket may
   * contain millions of objects. Calls `rest` after the last page.
   */
  async jsonList(
    name: string,
    pages: AsyncIterable<readonly unknown[]>,
    rest: () => object = () => ({}),
  ): Promise<void> {
    const rows = pages[Symbol.asyncIterator]();
    // The first page is read before the start of the document, so that an immediate error leaves no incomplete document.
    let page = await rows.next();
    await write(this.#sink, `{${JSON.stringify(name)}: [`);
    for (let between = '\n'; !page.done; page = await rows.next()) {
      const text = page.value.map((item) => jsonText(item)).join(',\n');
      if (text === '') continue;
      await write(this.#sink, between + text);
      between = ',\n';
    }
    const members = Object.entries(rest()).map(
      ([key, value]) => `,\n${JSON.stringify(key)}: ${jsonText(withTime(key, value))}`,
    );
    await write(this.#sink, `]${members.join('')}}\n`);
  }
}

/** The names of all members that are times. The control protocol has them in milliseconds since 1970. */
const TIME_MEMBER = /^(?:at|since|until|before|day|date|from|to|firstEnd|lastEnd|\w+(?:At|Until))$/;

/** The maximum of JavaScript's dates, in milliseconds since 1970. */
const MAX_TIME_MS = 8.64e15;

/** Returns the value as JSON text, in which times are ISO 8601 strings in UTC. */
export function jsonText(value: unknown, indent?: number): string {
  return JSON.stringify(value, withTime, indent);
}

/** Returns whether a member with this name is a time if it is a number. */
export function isTime(name: string): boolean {
  return TIME_MEMBER.test(name);
}

function withTime(name: string, value: unknown): unknown {
  if (typeof value !== 'number' || !isTime(name)) return value;
  // A service may report a time that no date can represent.
  return Math.abs(value) <= MAX_TIME_MS ? new Date(value).toISOString() : value;
}

export interface Column {
  readonly title: string;
  readonly align?: 'left' | 'right';
}

const COLUMN_GAP = '  ';

/**
 * Returns the titles and the rows in aligned columns. The last column is not padded, so long and wide names belong
 * there.
 */
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

/**
 * Returns the number of grapheme clusters. This is the width on a terminal, except for wide characters, which take two
 * cells.
 */
function cellsOf(text: string): number {
  if (/^[ -~]*$/.test(text)) return text.length;
  // Created on demand, because its creation takes a tenth of the time of a short command.
  segmenter ??= new Intl.Segmenter();
  return [...segmenter.segment(text)].length;
}

let segmenter: Intl.Segmenter | undefined;
