/** Shows the first bytes of an object's content, and more bytes on request. */

import { errorMessage, isAbort } from '../../../src/base/errors.ts';
import type { Result } from '../../../src/control/messages.ts';
import { openSaveForm } from '../../acts/save.ts';
import type { Copyable, Screen } from '../../ui/screen.ts';
import type { Area } from '../../widgets/layout.ts';
import type { Ui } from '../../ui/ui.ts';
import { arraySource } from '../../data/row-source.ts';
import { ListModel } from '../../widgets/list-model.ts';
import { filled } from '../../widgets/layout.ts';
import { listStatus } from '../../widgets/table.ts';
import type { ActionsFor } from '../../commands/screen-commands.ts';
import { readPart } from '../../data/content.ts';
import { asked, bucketText } from '../../data/place.ts';
import type { ObjectPlace } from '../../data/place.ts';
import { bytesText } from '../../../src/text/amounts.ts';
import type { Look } from '../../theme/look.ts';
import { languageOf } from '../../syntax/languages.ts';
import { brokenLines, paintedLine, shownText } from '../../syntax/span.ts';
import type { SpanLine } from '../../syntax/span.ts';
import { SyntaxThread } from '../../syntax/syntax-thread.ts';
import { whyNoPreview } from './preview-content.ts';
import { hexLines, modeOf, plainLines, textOf } from './preview-lines.ts';
import type { PreviewMode } from './preview-lines.ts';
import { pictureText, recognisePicture } from './picture.ts';
import type { Picture } from './picture.ts';

/** The number of bytes per request, which is some thousand lines of text. */
export const PART_BYTES = 64 * 1024;
/**
 * The maximum number of bytes in a preview. For more content, the user can save the object and open
 * it with another program.
 */
const MOST_BYTES = 16 * PART_BYTES;

interface Line {
  readonly index: number;
  /** The text of the line. It must be safe to draw. */
  readonly text: string;
  readonly spans: SpanLine;
}

export class PreviewScreen implements Screen {
  readonly scope = 'preview';
  readonly crumbs: readonly string[];
  readonly list: ListModel<Line>;
  readonly #ui: Ui;
  readonly #place: ObjectPlace;
  #bytes: Uint8Array = new Uint8Array();
  #facts: Result<'objects.describe'> | undefined;
  #picture: Picture | undefined;
  #mode: PreviewMode | undefined;
  #problem: string | undefined;
  #reading: AbortController | undefined;
  readonly #syntax: SyntaxThread;
  /** The highlighted lines of the first part. Empty if the content is not highlighted. */
  #highlighted: readonly SpanLine[] = [];
  /** The inputs from which the current lines were created. */
  #made: LinesOf | undefined;

  constructor(ui: Ui, place: ObjectPlace) {
    this.#ui = ui;
    this.#place = place;
    this.#syntax = new SyntaxThread(ui.clock);
    this.crumbs = [bucketText(place), place.key, 'preview'];
    this.list = new ListModel<Line>({ changes: ui.changes, canMark: () => false });
  }

  readonly actions: ActionsFor<'preview'> = {
    'preview.mode': {
      why: () => (this.#bytes.length === 0 ? 'the object is empty' : undefined),
      run: () => {
        this.#mode = this.#mode === 'text' ? 'hex' : 'text';
      },
    },
    'preview.more': { why: () => this.#whyNoMore(), run: () => this.#read() },
    'preview.save': { run: () => openSaveForm(this.#ui, this.#place) },
  };

  get note(): string {
    if (!this.#facts) return '';
    const { sizeBytes, image, attributes } = this.#facts;
    // A recognised picture shows its format, which says more than the content type.
    const type = this.#picture ? undefined : attributes.contentType;
    const words = type === undefined ? [] : [this.#ui.look.name(type)];
    if (image) words.push(`${image.format} ${image.variant}`.trim());
    if (this.#picture) words.push(pictureText(this.#picture));
    const isCut = this.#bytes.length < sizeBytes;
    words.push(`${isCut ? `${bytesText(this.#bytes.length)} of ` : ''}${bytesText(sizeBytes)}`);
    return words.join('  ');
  }

  show(): void {
    if (this.#facts === undefined) void this.#read();
  }

  hide(): void {
    this.#reading?.abort();
    this.#reading = undefined;
    this.#syntax.close();
  }

  copyables(): readonly Copyable[] {
    const { current } = this.list;
    return current ? [{ name: 'line', text: current.text }] : [];
  }

  draw({ columns, rows }: Area, look: Look): readonly string[] {
    this.#makeLines(columns - 2, look);
    const height = rows - 1;
    this.list.fitTo(height);
    const { top, cursor } = this.list;
    const shown = Array.from({ length: height }, (_, row) => this.list.rows.row(top + row));
    const lines = shown
      .filter((line) => line !== undefined)
      .map(({ index, spans }) => {
        const text = paintedLine(spans, columns - 2, look);
        return index === cursor
          ? look.paint('strong', `${look.glyphs.pointer} ${text}`)
          : `  ${text}`;
      });
    if (lines.length === 0) lines.push(look.paint('dim', `  ${look.name(this.#said)}`));
    return [...filled(lines, height), listStatus(this.list, columns, look, this.#end(look))];
  }

  get #said(): string {
    return this.#problem ?? (this.#facts ? 'the object is empty' : 'reading');
  }

  #end(look: Look): string {
    const why = this.#whyNoMore();
    return look.paint('dim', `${this.#mode ?? ''}  ${why ?? 'm reads more'} `);
  }

  /** Creates the lines again if their inputs have changed. */
  #makeLines(width: number, look: Look): void {
    const wanted = {
      bytes: this.#bytes,
      highlighted: this.#highlighted,
      mode: this.#mode ?? 'text',
      width,
      look,
    } as const;
    if (this.#made && isSame(this.#made, wanted)) return;
    this.#made = wanted;
    const rows = linesOf(wanted).map((spans, index) => {
      return { index, spans, text: shownText(spans, look) };
    });
    const describe = {
      id: ({ index }: Line) => String(index),
      text: ({ text }: Line) => text,
    };
    this.list.replace(arraySource(rows, describe));
  }

  #whyNoMore(): string | undefined {
    if (!this.#facts) return 'it is still loading';
    if (this.#bytes.length >= this.#facts.sizeBytes) return 'complete';
    return this.#bytes.length >= MOST_BYTES
      ? 'a preview shows at most 1 MiB; press s to save the object'
      : undefined;
  }

  async #read(): Promise<void> {
    this.hide();
    const reading = new AbortController();
    this.#reading = reading;
    try {
      const { signal } = reading;
      const facts = await this.#ui.call('objects.describe', asked(this.#place), { signal });
      if (facts.encrypted) throw new Error(whyNoPreview(facts));
      const start = this.#bytes.length;
      const count = Math.min(PART_BYTES, facts.sizeBytes - start);
      const part =
        count > 0
          ? await readPart(this.#ui.link, this.#place, { start, count }, signal)
          : undefined;
      this.#take(facts, part?.bytes ?? new Uint8Array());
      if (start === 0) void this.#highlight(facts);
    } catch (error) {
      if (!isAbort(error)) this.#problem = errorMessage(error);
    }
    if (this.#reading === reading) this.#reading = undefined;
    this.#ui.changes.now();
  }

  #take(facts: Result<'objects.describe'>, part: Uint8Array): void {
    this.#facts = facts;
    this.#problem = undefined;
    this.#bytes = Buffer.concat([this.#bytes, part]);
    this.#picture = recognisePicture(this.#bytes);
    this.#mode ??= modeOf(this.#bytes, this.#bytes.length >= facts.sizeBytes);
  }

  /** Highlights the first part of the content. Until then, it is shown without colours. */
  async #highlight({ sizeBytes, attributes }: Result<'objects.describe'>): Promise<void> {
    const language = languageOf(this.#place.key, attributes.contentType);
    if (this.#mode !== 'text' || language === undefined) return;
    const text = textOf(this.#bytes, this.#bytes.length >= sizeBytes);
    const lines = await this.#syntax.highlight(text, language);
    if (!lines) return;
    // The last line may continue in the next part, so it is not highlighted.
    this.#highlighted = this.#bytes.length >= sizeBytes ? lines : lines.slice(0, -1);
    this.#ui.changes.soon();
  }
}

interface LinesOf {
  readonly bytes: Uint8Array;
  readonly highlighted: readonly SpanLine[];
  readonly mode: PreviewMode;
  readonly width: number;
  readonly look: Look;
}

function isSame(a: LinesOf, b: LinesOf): boolean {
  return (Object.keys(a) as (keyof LinesOf)[]).every((name) => a[name] === b[name]);
}

function linesOf({ bytes, highlighted, mode, width, look }: LinesOf): SpanLine[] {
  if (mode === 'hex') return hexLines(bytes, width).flatMap(plainLines);
  const plain = bytes.length === 0 ? [] : plainLines(textOf(bytes, true));
  const lines = [...highlighted, ...plain.slice(highlighted.length)];
  return lines.flatMap((line) => brokenLines(line, width, look));
}
