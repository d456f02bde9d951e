/**
 * Content of the row under the cursor, for a pane beside or below a list. Reading starts when the cursor
 * rests on a row, and is cancelled when the cursor moves on.
 */

import type { Clock } from '../../src/base/clock.ts';
import { errorMessage, isAbort } from '../../src/base/errors.ts';
import type { Changes } from '../data/changes.ts';
import { paintedLine } from '../syntax/span.ts';
import type { SpanLine } from '../syntax/span.ts';
import { wrap } from '../text/width.ts';
import type { Look } from '../theme/look.ts';
import type { Area } from './layout.ts';
import type { DetailContent } from './list-detail.ts';

interface CursorContentOptions<Subject> {
  readonly clock: Clock;
  readonly changes: Changes;
  /** Two subjects with the same id have the same content. */
  readonly id: (subject: Subject) => string;
  /** Each value replaces the previous one: a plain text is shown until it is highlighted. */
  readonly read: (subject: Subject, signal: AbortSignal) => AsyncIterable<Content>;
}

/**
 * Lines, which are truncated at the width of the pane, and sentences, which are wrapped. The text must be
 * escaped before it is drawn.
 */
export type Content = readonly (SpanLine | string)[];

/** Number of bytes that a pane reads of an object, of each version or of each side. */
export const PANE_BYTES = 32 * 1_024;
const REST_MS = 150;
/** Number of contents to keep. Each one has at most twice `PANE_BYTES`. */
const MOST_KEPT = 16;

export class CursorContent<Subject> {
  readonly #options: CursorContentOptions<Subject>;
  readonly #kept = new Map<string, Content>();
  readonly #problems = new Map<string, string>();
  /** True if the pane had room and was drawn. Otherwise nothing is read for it. */
  #isDrawn = false;
  #wantedId: string | undefined;
  #cancelWait: (() => void) | undefined;
  #reading: AbortController | undefined;

  constructor(options: CursorContentOptions<Subject>) {
    this.#options = options;
  }

  /** Returns the pane of a subject without reading anything. */
  pane(subject: Subject, title: string, look: Look): DetailContent {
    this.#isDrawn = false;
    const draw = (area: Area) => {
      this.#isDrawn = true;
      return this.#lines(subject, area, look);
    };
    return { title, draw };
  }

  #lines(subject: Subject, { columns, rows }: Area, look: Look): readonly string[] {
    const id = this.#options.id(subject);
    const said = (text: string, tone: 'bad' | 'dim') =>
      wrap(look.name(text), columns).map((line) => look.paint(tone, line));
    const problem = this.#problems.get(id);
    if (problem !== undefined) return said(problem, 'bad');
    const content = this.#kept.get(id) ?? [`${look.glyphs.ellipsis} reading`];
    const lines = content.slice(0, rows).flatMap((line) => {
      return typeof line === 'string' ? said(line, 'dim') : [paintedLine(line, columns, look)];
    });
    return lines.slice(0, rows);
  }

  /** Starts reading the content of the pane. Call it after the screen was drawn. */
  follow(subject: Subject | undefined): void {
    const wanted = this.#isDrawn ? subject : undefined;
    const id = wanted === undefined ? undefined : this.#options.id(wanted);
    if (id === this.#wantedId) return;
    this.#cancel();
    this.#wantedId = id;
    if (wanted === undefined || id === undefined) return;
    if (this.#kept.has(id) || this.#problems.has(id)) return;
    this.#cancelWait = this.#options.clock.after(REST_MS, () => void this.#read(wanted, id));
  }

  /** Cancels the reading. Content that could not be read is read again next time. */
  stop(): void {
    this.#cancel();
    this.#problems.clear();
  }

  #cancel(): void {
    this.#wantedId = undefined;
    this.#cancelWait?.();
    this.#cancelWait = undefined;
    this.#reading?.abort();
    this.#reading = undefined;
  }

  async #read(subject: Subject, id: string): Promise<void> {
    const reading = new AbortController();
    this.#reading = reading;
    try {
      for await (const content of this.#options.read(subject, reading.signal)) {
        if (this.#reading !== reading) return;
        this.#keep(id, content);
      }
    } catch (error) {
      if (this.#reading !== reading || isAbort(error)) return;
      this.#problems.set(id, errorMessage(error));
      this.#options.changes.soon();
    }
  }

  #keep(id: string, content: Content): void {
    this.#kept.delete(id);
    this.#kept.set(id, content);
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > MOST_KEPT && oldest !== undefined) this.#kept.delete(oldest);
    this.#options.changes.soon();
  }
}
