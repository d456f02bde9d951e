/**
 * Loads the first bytes of an object for a preview pane. Returns lines of text, or a sentence if the object has no preview.
 */

import { bytesText } from '../../../src/text/amounts.ts';
import type { Ui } from '../../ui/ui.ts';
import { readPart } from '../../data/content.ts';
import type { ObjectPlace } from '../../data/place.ts';
import type { ObjectFacts } from '../../data/row-facts.ts';
import { languageOf } from '../../syntax/languages.ts';
import { SyntaxThread } from '../../syntax/syntax-thread.ts';
import { CursorContent, PANE_BYTES } from '../../widgets/cursor-content.ts';
import type { Content } from '../../widgets/cursor-content.ts';
import { pictureText, recognisePicture } from './picture.ts';
import { modeOf, plainLines, textOf } from './preview-lines.ts';

/**
 * The known facts about the object. If `encrypted` is unknown, an encrypted object is requested, and the service
 * refuses it.
 */
type PreviewFacts = Pick<ObjectFacts, 'sizeBytes'> & {
  readonly [Name in 'attributes' | 'encrypted' | 'etag' | 'versionId']?:
    | ObjectFacts[Name]
    | undefined;
};

export interface PreviewSubject {
  readonly place: ObjectPlace;
  readonly facts: PreviewFacts;
}

/** Loads the previews for the object or version under the cursor. */
export class PreviewContent extends CursorContent<PreviewSubject> {
  readonly #syntax: SyntaxThread;

  constructor(ui: Ui) {
    const syntax = new SyntaxThread(ui.clock);
    const read = (subject: PreviewSubject, signal: AbortSignal) =>
      readPreview(ui, syntax, subject, signal);
    super({ clock: ui.clock, changes: ui.changes, id: previewId, read });
    this.#syntax = syntax;
  }

  override stop(): void {
    super.stop();
    this.#syntax.close();
  }
}

function previewId({ place: { key }, facts: { versionId, etag } }: PreviewSubject): string {
  return [key, versionId, etag].join('\0');
}

/** Returns why the content has no preview, or undefined if it has one. */
export function whyNoPreview({ encrypted, sizeBytes }: PreviewFacts): string | undefined {
  if (encrypted) return 'encrypted with a customer key, which the dashboard does not have';
  return sizeBytes === 0 ? 'the object is empty' : undefined;
}

/** Yields the text without colours first, and then the highlighted text. */
async function* readPreview(
  ui: Ui,
  syntax: SyntaxThread,
  { place, facts }: PreviewSubject,
  signal: AbortSignal,
): AsyncGenerator<Content> {
  const why = whyNoPreview(facts);
  if (why !== undefined) {
    yield [why];
    return;
  }
  const range = { start: 0, count: Math.min(PANE_BYTES, facts.sizeBytes) };
  const { bytes } = await readPart(ui.link, place, range, signal);
  const isWhole = bytes.length >= facts.sizeBytes;
  const picture = recognisePicture(bytes);
  if (picture) yield [`picture: ${pictureText(picture)}`];
  else if (modeOf(bytes, isWhole) === 'hex') {
    yield [`binary, ${bytesText(facts.sizeBytes)}; press p for the bytes`];
  } else {
    const text = textOf(bytes, isWhole);
    yield plainLines(text);
    const language = languageOf(place.key, facts.attributes?.contentType);
    const lines = language && (await syntax.highlight(text, language));
    if (lines) yield lines;
  }
}
