/** The beginning of an object's content, and more of it when that is asked for. */

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
import { hexLines, modeOf, textLines } from './preview-lines.ts';
import type { PreviewMode } from './preview-lines.ts';
import { pictureText, recognisePicture } from './picture.ts';
import type { Picture } from './picture.ts';

/** What is read at once: some thousand lines of text. */
export const PART_BYTES = 64 * 1024;
/** Whoever wants more saves it and opens it with a program made for that. */
const MOST_BYTES = 16 * PART_BYTES;

interface Line {
  readonly index: number;
  readonly text: string;
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
  /** What the lines were made for. */
  #made: { bytes: Uint8Array; mode: PreviewMode; width: number; look: Look } | undefined;

  constructor(ui: Ui, place: ObjectPlace) {
    this.#ui = ui;
    this.#place = place;
    this.crumbs = [bucketText(place), place.key, 'preview'];
    this.list = new ListModel<Line>({ changes: ui.changes, canMark: () => false });
  }

  readonly actions: ActionsFor<'preview'> = {
    'preview.mode': {
      why: () => (this.#bytes.length === 0 ? 'there are no bytes' : undefined),
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
    const type = attributes.contentType;
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
      .map(({ index, text }) =>
        index === cursor ? look.paint('strong', `${look.glyphs.pointer} ${text}`) : `  ${text}`,
      );
    if (lines.length === 0) lines.push(look.paint('dim', `  ${look.name(this.#said)}`));
    return [...filled(lines, height), listStatus(this.list, columns, look, this.#end(look))];
  }

  get #said(): string {
    return this.#problem ?? (this.#facts ? 'it is empty' : 'reading');
  }

  #end(look: Look): string {
    const why = this.#whyNoMore();
    return look.paint('dim', `${this.#mode ?? ''}  ${why ?? 'm reads more'} `);
  }

  /** Only where something has changed: drawing alone makes none. */
  #makeLines(width: number, look: Look): void {
    const [mode, bytes, made] = [this.#mode ?? 'text', this.#bytes, this.#made];
    if (made?.bytes === bytes && made.mode === mode && made.width === width && made.look === look)
      return;
    this.#made = { bytes, mode, width, look };
    const lines = mode === 'text' ? textLines(bytes, width, look) : hexLines(bytes, width);
    const rows = lines.map((text, index) => ({ index, text }));
    const describe = {
      id: ({ index }: Line) => String(index),
      text: ({ text }: Line) => text,
    };
    this.list.replace(arraySource(rows, describe));
  }

  #whyNoMore(): string | undefined {
    if (!this.#facts) return 'it is being read';
    if (this.#bytes.length >= this.#facts.sizeBytes) return 'that is all of it';
    return this.#bytes.length >= MOST_BYTES ? 'that is as much as is shown; s saves it' : undefined;
  }

  async #read(): Promise<void> {
    this.hide();
    const reading = new AbortController();
    this.#reading = reading;
    try {
      const { signal } = reading;
      const facts = await this.#ui.call('objects.describe', asked(this.#place), { signal });
      const start = this.#bytes.length;
      const count = Math.min(PART_BYTES, facts.sizeBytes - start);
      const part =
        count > 0
          ? await readPart(this.#ui.link, this.#place, { start, count }, signal)
          : undefined;
      this.#take(facts, part?.bytes ?? new Uint8Array());
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
}
