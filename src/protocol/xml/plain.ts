/**
 * Parses the form of XML that services and clients usually write: elements, text, ignored attributes, and elements with
 * one CDATA section. This parser takes a tenth of the general parser's time. The general parser handles documents of
 * any other form.
 */

import { element, type XmlElement } from './element.ts';

/** An element name as written in tags, and the same name without its namespace prefix. */
interface Name {
  readonly written: string;
  readonly local: string;
}

interface Open {
  readonly name: Name;
  readonly children: XmlElement[];
}

const DECLARATION =
  /^(?:<\?xml version="1\.0"(?: encoding="[\w-]+")?(?: standalone="(?:yes|no)")? ?\?>)?\s*(?=<[A-Za-z])/;
/** Matches the inside of a start tag: a name, and attributes whose values do not contain `<`, `>` or `&`. */
const START =
  /^((?:[A-Za-z][\w.-]*:)?([A-Za-z][A-Za-z0-9]*))(?:\s+[A-Za-z][\w:.-]*\s*=\s*(?:"[^"<>&]*"|'[^'<>&]*'))*\s*$/;
/** The maximum number of characters inside a tag. No known client sends a longer tag. */
const MAX_TAG_CHARACTERS = 2048;
const [CDATA, CDATA_END] = ['<![CDATA[', ']]>'];
const SLASH = '/'.charCodeAt(0);

export interface PlainOptions {
  readonly maxDepth: number;
  /** Returns the text with its entities decoded. Throws for an invalid entity. */
  readonly decode: (text: string) => string;
}

/** Returns the root element, or undefined if the document is not plain XML. */
export function parsePlainXml(text: string, options: PlainOptions): XmlElement | undefined {
  const declaration = DECLARATION.exec(text);
  if (declaration === null) return undefined;
  return new PlainReader(text, options).read(declaration[0].length);
}

class PlainReader {
  readonly #text: string;
  readonly #options: PlainOptions;
  /**
   * The parsed names, by the text of their tags. A document repeats a few tags many times, so each tag is parsed only
   * once.
   */
  readonly #names = new Map<string, Name>();

  constructor(text: string, options: PlainOptions) {
    this.#text = text;
    this.#options = options;
  }

  /** Returns the root element whose start tag is at position `at`, or undefined if the document is not plain XML. */
  read(at: number): XmlElement | undefined {
    const text = this.#text;
    const root = this.#start(at);
    if (root?.contentAt === undefined) return undefined;
    let inner: Open = { name: root.name, children: [] };
    const open: Open[] = [inner];
    let position = root.contentAt;
    for (;;) {
      const tag = text.indexOf('<', position);
      if (tag === -1 || !isBlank(text, position, tag)) return undefined;
      if (text.charCodeAt(tag + 1) === SLASH) {
        const end = this.#endOf(inner.name, tag);
        open.pop();
        if (end === undefined || inner.children.length === 0) return undefined;
        const outer = open.at(-1);
        if (outer === undefined) return isBlank(text, end, text.length) ? closed(inner) : undefined;
        outer.children.push(closed(inner));
        inner = outer;
        position = end;
        continue;
      }
      const started = open.length < this.#options.maxDepth ? this.#start(tag) : undefined;
      if (started === undefined) return undefined;
      const { name, contentAt } = started;
      if (contentAt === undefined) {
        inner.children.push(element(name.local, ''));
        position = started.end;
        continue;
      }
      const isSection = text.startsWith(CDATA, contentAt);
      const next = isSection ? this.#endOfSection(contentAt) : text.indexOf('<', contentAt);
      if (text.startsWith('</', next)) {
        const end = this.#endOf(name, next);
        if (end === undefined) return undefined;
        const content = isSection
          ? text.slice(contentAt + CDATA.length, next - CDATA_END.length)
          : this.#options.decode(text.slice(contentAt, next));
        inner.children.push(element(name.local, content));
        position = end;
        continue;
      }
      inner = { name, children: [] };
      open.push(inner);
      position = contentAt;
    }
  }

  /**
   * Parses the start tag at position `tag`. Returns undefined if the tag is not plain. `contentAt` is absent for an
   * empty element, `<Name/>`.
   */
  #start(tag: number): { name: Name; end: number; contentAt?: number } | undefined {
    const close = this.#text.indexOf('>', tag);
    if (close === -1) return undefined;
    const isEmpty = this.#text.charCodeAt(close - 1) === SLASH;
    const name = this.#nameOf(tag + 1, isEmpty ? close - 1 : close);
    if (name === undefined) return undefined;
    return isEmpty ? { name, end: close + 1 } : { name, end: close + 1, contentAt: close + 1 };
  }

  /**
   * Returns the position after `]]>`. If the CDATA section does not end, returns the end of the text. The caller finds
   * no tag there, so the document is not plain.
   */
  #endOfSection(at: number): number {
    const end = this.#text.indexOf(CDATA_END, at);
    return end === -1 ? this.#text.length : end + CDATA_END.length;
  }

  #nameOf(from: number, to: number): Name | undefined {
    if (to - from > MAX_TAG_CHARACTERS) return undefined;
    const inside = this.#text.slice(from, to);
    const known = this.#names.get(inside);
    if (known !== undefined) return known;
    const [, written, local] = START.exec(inside) ?? [];
    // JavaScript objects give some names a special meaning, such as `constructor`. The general parser handles elements
    // with these names and rejects some of them.
    if (written === undefined || local === undefined) return undefined;
    if (local in {} || local === 'prototype') return undefined;
    const name = { written, local };
    this.#names.set(inside, name);
    return name;
  }

  /**
   * Returns the position after the end tag `</name>` at position `tag`. Returns undefined if `tag` is not the position
   * of this end tag.
   */
  #endOf({ written }: Name, tag: number): number | undefined {
    const end = tag + written.length + 3;
    return this.#text.startsWith(written, tag + 2) && this.#text[end - 1] === '>' ? end : undefined;
  }
}

function closed({ name, children }: Open): XmlElement {
  return element(name.local, children);
}

function isBlank(text: string, from: number, to: number): boolean {
  for (let at = from; at < to; at += 1) {
    const code = text.charCodeAt(at);
    if (code !== 0x20 && code !== 0x0a && code !== 0x09) return false;
  }
  return true;
}
