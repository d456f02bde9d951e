/**
 * Shows the content for the row under the cursor in a pane beside or below a list. Reading starts when the cursor rests
 * on a row, and is cancelled when the cursor leaves the row.
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
  /** Returns an id for the row. Two rows with the same id have the same content. */
  readonly id: (subject: Subject) => string;
  /** Reads the content. Each value replaces the previous one, so that plain text is visible until it is highlighted. */
  readonly read: (subject: Subject, signal: AbortSignal) => AsyncIterable<Content>;
}

/**
 * The content of a pane: lines, which are truncated to the pane's width, and sentences, which are wrapped. The text
 * must be escaped before it is drawn.
 */
export type Content = readonly (SpanLine | string)[];

/** The number of bytes that a pane reads from an object, from each version, or from each side of a conflict. */
export const PANE_BYTES = 32 * 1_024;
const REST_MS = 150;
/** The number of rows whose content is cached. Each takes at most twice `PANE_BYTES`. */
const MOST_KEPT = 16;

export class CursorContent<Subject> {
  readonly #options: CursorContentOptions<Subject>;
  readonly #kept = new Map<string, Content>();
  readonly #problems = new Map<string, string>();
  /** Whether the pane had enough space to be drawn. If not, no content is read for it. */
  #isDrawn = false;
  #wantedId: string | undefined;
  #cancelWait: (() => void) | undefined;
  #reading: AbortController | undefined;

  constructor(options: CursorContentOptions<Subject>) {
    this.#options = options;
  }

  /** Returns the pane for a row without reading any content. */
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

  /** Starts to read the content for the pane. Call it after the screen was drawn. */
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

  /** Cancels the read. Content that could not be read is read again next time. */
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
