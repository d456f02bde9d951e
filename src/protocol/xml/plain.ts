/**
 * XML as services write it: elements and text, without attributes (but the root's namespace), comments or sections.
 * A page of a listing is read in a tenth of the general parser's time; whatever is not of this form is left to that
 * parser, which reads or refuses it.
 */

import { element, type XmlElement } from './element.ts';

interface Open {
  readonly name: string;
  readonly children: XmlElement[];
}

const HEAD =
  /^(?:<\?xml version="1\.0"(?: encoding="[\w-]+")?(?: standalone="(?:yes|no)")? ?\?>)?\s*<([A-Z][A-Za-z0-9]*)(?: xmlns="[^"<>&]*")?>/;
const NAME = /^[A-Z][A-Za-z0-9]*$/;
/** Comments, sections and declarations begin with the one; the general parser makes line feeds of the other. */
const NOT_PLAIN = /<!|\r/;
const SLASH = '/'.charCodeAt(0);

export interface PlainOptions {
  readonly maxDepth: number;
  /** Throws, or gives the text with its entities resolved. */
  readonly decode: (text: string) => string;
}

/** The root, or undefined for what is not plain. */
export function parsePlainXml(text: string, options: PlainOptions): XmlElement | undefined {
  const head = HEAD.exec(text);
  if (head?.[1] === undefined || NOT_PLAIN.test(text)) return undefined;
  return new PlainReader(text, options).read(head[1], head[0].length);
}

class PlainReader {
  readonly #text: string;
  readonly #options: PlainOptions;
  /** Names are few and come often: each is looked at once. */
  readonly #names = new Set<string>();

  constructor(text: string, options: PlainOptions) {
    this.#text = text;
    this.#options = options;
  }

  /** `at`: behind the root's start. */
  read(rootName: string, at: number): XmlElement | undefined {
    const text = this.#text;
    const root: Open = { name: rootName, children: [] };
    const open: Open[] = [root];
    let inner = root;
    let position = at;
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
        inner.children.push(element(name, ''));
        position = started.end;
        continue;
      }
      const next = text.indexOf('<', contentAt);
      if (text.charCodeAt(next + 1) === SLASH) {
        const end = this.#endOf(name, next);
        if (end === undefined) return undefined;
        inner.children.push(element(name, this.#options.decode(text.slice(contentAt, next))));
        position = end;
        continue;
      }
      inner = { name, children: [] };
      open.push(inner);
      position = contentAt;
    }
  }

  /** The element whose start is at `tag`; without `contentAt` it is `<Name/>`. */
  #start(tag: number): { name: string; end: number; contentAt?: number } | undefined {
    const close = this.#text.indexOf('>', tag);
    const isEmpty = this.#text.charCodeAt(close - 1) === SLASH;
    const name = this.#text.slice(tag + 1, isEmpty ? close - 1 : close);
    if (!this.#names.has(name)) {
      if (!NAME.test(name)) return undefined;
      this.#names.add(name);
    }
    return isEmpty ? { name, end: close + 1 } : { name, end: close + 1, contentAt: close + 1 };
  }

  /** Behind `</name>` at `tag`. */
  #endOf(name: string, tag: number): number | undefined {
    const end = tag + name.length + 3;
    return this.#text.startsWith(name, tag + 2) && this.#text[end - 1] === '>' ? end : undefined;
  }
}

function closed({ name, children }: Open): XmlElement {
  return element(name, children);
}

function isBlank(text: string, from: number, to: number): boolean {
  for (let at = from; at < to; at += 1) {
    const code = text.charCodeAt(at);
    if (code !== 0x20 && code !== 0x0a && code !== 0x09) return false;
  }
  return true;
}
