/**
 * Writes the output of commands: lines and tables for people, JSON for programs, and colors only on terminals.
 *
 * With `--json`, standard output is a sequence of JSON objects with one property each. Objects with `event` come first,
 * followed by exactly one object with `result` or `error`. An object is on one line unless standard output is a
 * terminal. Only this file writes these objects.
 */

import { styleText } from 'node:util';
import type { Readable, Writable } from 'node:stream';

import type { Clock } from '../../base/clock.ts';
import { cellsOf } from './cells.ts';
import { withHomeOption } from '../../text/pasted-commands.ts';
import { wrapped } from './wrap.ts';

export type Sink = Writable & {
  readonly isTTY?: boolean;
  readonly columns?: number;
  readonly rows?: number;
};

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
 * Returns a function that colors text. The function does nothing if the sink is not a terminal, or if NO_COLOR or
 * `TERM=dumb` is set.
 */
export function painter(sink: Sink, env: Io['env']): Paint {
  const coloured = sink.isTTY === true && !env['NO_COLOR'] && env['TERM'] !== 'dumb';
  if (!coloured) return (_tone, text) => text;
  return (tone, text) => styleText(STYLES[tone], text, { validateStream: false });
}

/**
 * Resolves when the sink has written the text, so that a slow reader slows down the command. Rejects with EPIPE if the
 * reader exited.
 */
function write(sink: Sink, text: string | Uint8Array): Promise<void> {
  return new Promise((resolve, reject) => {
    sink.write(text, (error) => (error ? reject(error) : resolve()));
  });
}

/**
 * Resolves when the sink has written the text or failed to write it. It is used for standard error, where a failure
 * could not be reported.
 */
export function writeNote(sink: Sink, text: string): Promise<void> {
  return new Promise((resolve) => {
    sink.write(text, () => resolve());
  });
}

/** Writes the standard output of one command. `finish` ends the output, unless the command failed. */
export class Output {
  readonly paint: Paint;
  readonly #sink: Sink;
  readonly #isJson: boolean;
  /** The options for the home folder that commands in sentences receive, such as ` --home DIR`. */
  readonly #homeOption: string;
  /**
   * The result that the command has set. `finish` writes it, because the command may still fail after it has set its
   * result.
   */
  #result: unknown;
  /** With `--json`, the lines printed by a command that sets no result. */
  readonly #text: string[] = [];
  #isListed = false;

  constructor(sink: Sink, env: Io['env'], { isJson = false, homeOption = '' } = {}) {
    this.#sink = sink;
    this.#isJson = isJson;
    this.#homeOption = homeOption;
    this.paint = painter(sink, env);
  }

  async lines(...lines: readonly string[]): Promise<void> {
    if (this.#isJson) this.#text.push(...lines);
    else if (lines.length > 0) await write(this.#sink, lines.map((line) => `${line}\n`).join(''));
  }

  /** Writes sentences. The commands in them work when they are pasted. On a terminal, the sentences are wrapped. */
  prose(...sentences: readonly string[]): Promise<void> {
    const lines = sentences.map((sentence) => withHomeOption(sentence, this.#homeOption));
    if (this.#isJson) return this.lines(...lines);
    return this.lines(...lines.flatMap((line) => wrapped(line, this.#sink)));
  }

  bytes(chunk: Uint8Array): Promise<void> {
    return write(this.#sink, chunk);
  }

  /** Sets the complete result of the command. Only with `--json`. */
  async json(result: object): Promise<void> {
    this.#result = result;
  }

  /** Writes a step of the command or a row of its output before the result. Only with `--json`. */
  jsonEvent(event: unknown): Promise<void> {
    return write(this.#sink, `${jsonText({ event })}\n`);
  }

  /**
   * Writes the result `{NAME: [items…], …rest()}`. Writes each page as it arrives, because a bucket may contain
   * millions of objects. Calls `rest` after the last page. If an error occurs after the first items, the JSON object
   * stays incomplete, and the error follows on a separate line.
   */
  async jsonList(
    name: string,
    pages: AsyncIterable<readonly unknown[]>,
    rest: () => object | Promise<object> = () => ({}),
  ): Promise<void> {
    const indent = this.#sink.isTTY ? '\n' : '';
    let between = `{"result":{${JSON.stringify(name)}:[${indent}`;
    let isBegun = false;
    try {
      for await (const page of pages) {
        const text = page.map((item) => jsonText(item)).join(`,${indent}`);
        if (text === '') continue;
        isBegun = true;
        await write(this.#sink, between + text);
        between = `,${indent}`;
      }
      const members = await rest();
      if (!isBegun) return await this.json({ [name]: [], ...members });
      this.#isListed = true;
      const texts = Object.entries(members).map(
        ([key, value]) => `,${indent}${JSON.stringify(key)}:${jsonText(withTime(key, value))}`,
      );
      await write(this.#sink, `]${texts.join('')}}}\n`);
    } catch (error) {
      if (isBegun) await writeNote(this.#sink, '\n');
      throw error;
    }
  }

  /** Writes the result that the command has set. If the command only printed lines, the result is `{"text": …}`. */
  async finish(): Promise<void> {
    if (!this.#isJson || this.#isListed) return;
    const text = this.#text.map((line) => `${line}\n`).join('');
    await write(
      this.#sink,
      documentText(this.#sink, 'result', this.#result ?? (text === '' ? {} : { text })),
    );
  }
}

/** Writes the error of a command instead of its result. Only with `--json`. */
export function writeJsonError(sink: Sink, error: object): Promise<void> {
  return writeNote(sink, documentText(sink, 'error', error));
}

function documentText(sink: Sink, member: string, value: unknown): string {
  return `${jsonText({ [member]: value }, sink.isTTY ? 2 : undefined)}\n`;
}

/**
 * Matches the names of all properties that are times. In the control protocol, times are in milliseconds since 1970.
 */
const TIME_MEMBER = /^(?:at|since|until|before|day|date|from|to|firstEnd|lastEnd|\w+(?:At|Until))$/;

/** The latest time that a JavaScript date can represent, in milliseconds since 1970. */
const MAX_TIME_MS = 8.64e15;

/** Returns the value as JSON text. Times are converted to ISO 8601 strings in UTC. */
export function jsonText(value: unknown, indent?: number): string {
  return JSON.stringify(value, withTime, indent);
}

/** Returns whether a JSON property with this name contains a time if its value is a number. */
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
 * Returns the titles and the rows in aligned columns. The last column is not padded, so it should contain the longest
 * texts, such as names.
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
