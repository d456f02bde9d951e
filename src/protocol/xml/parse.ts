/** XML text to elements, refusing what could hurt: entities, depth, size, names of prototypes. */

import { createRequire } from 'node:module';

import type { XMLParser } from 'fast-xml-parser';
import { StorageError } from '../../object-store/storage-error.ts';
import { element, type XmlElement } from './element.ts';
import { parsePlainXml } from './plain.ts';

/** More than any legal document, but for those that name thousands of parts or objects (security E.2). */
export const MAX_XML_BYTES = 1024 * 1024;
/** Opening and closing ones. A completion of 10,000 parts, each with a checksum, has 80,000; each costs microseconds. */
export const MAX_XML_TAGS = 120_000;
/** The protocol's deepest document has six levels. */
const MAX_XML_DEPTH = 20;

const TEXT = '#text';
const CDATA = '#cdata';
const SEMICOLON = ';'.charCodeAt(0);

const OPTIONS = {
  preserveOrder: true,
  ignoreAttributes: true,
  ignoreDeclaration: true,
  ignorePiTags: true,
  removeNSPrefix: true,
  trimValues: false,
  parseTagValue: false,
  // Ours are decoded below: none but XML's five and numbers may be used.
  processEntities: false,
  textNodeName: TEXT,
  cdataPropName: CDATA,
  maxNestedTags: MAX_XML_DEPTH,
};

/**
 * The root element, without namespaces. `maxTags` is what whoever sent the text has a use for: it is counted first, in a hundredth
 * of the time that reading them takes. Throws MalformedXML.
 */
export function parseXml(text: string, maxTags?: number): XmlElement {
  if (maxTags !== undefined) refuseMoreTags(text, maxTags);
  if (/<!(?!--|\[CDATA\[)/.test(text)) throw malformedXml('a document type or entity is declared');
  return parsePlainXml(text, PLAIN) ?? parseAnyXml(text);
}

const PLAIN = { maxDepth: MAX_XML_DEPTH, decode: decodeEntities };

function parseAnyXml(text: string): XmlElement {
  refuseMoreTags(text, MAX_XML_TAGS);
  const roots = toElements(parse(text), 0);
  const [root] = roots;
  if (
    typeof roots === 'string' ||
    root === undefined ||
    typeof root === 'string' ||
    roots.length > 1
  ) {
    throw malformedXml('there must be one root element');
  }
  return root;
}

/** Comments and sections count, too. */
function refuseMoreTags(text: string, limit: number): void {
  let count = 0;
  for (let at = text.indexOf('<'); at !== -1; at = text.indexOf('<', at + 1)) {
    count += 1;
    if (count > limit) throw malformedXml(`more than ${limit} tags`);
  }
}

export function malformedXml(reason: string, cause?: unknown): StorageError {
  return new StorageError('MalformedXML', `read XML: ${reason}`, { cause });
}

/** As fast-xml-parser gives them: `{name: children}`, `{'#text': text}`, `{'#cdata': [{'#text': text}]}`. */
type ParsedNode = Readonly<Record<string, unknown>>;

function parse(text: string): readonly ParsedNode[] {
  try {
    return parserOfAny().parse(text, true) as readonly ParsedNode[];
  } catch (cause) {
    throw malformedXml('it is not well-formed', cause);
  }
}

/** Loaded for the first document that is not plain, which may never come. */
function parserOfAny(): XMLParser {
  if (parser) return parser;
  const { XMLParser: Parser } = load('fast-xml-parser') as { readonly XMLParser: typeof XMLParser };
  return (parser = new Parser(OPTIONS));
}

const load = createRequire(import.meta.url);
let parser: XMLParser | undefined;

function toElements(nodes: readonly ParsedNode[], depth: number): readonly XmlElement[] | string {
  if (depth > MAX_XML_DEPTH) throw malformedXml(`more than ${MAX_XML_DEPTH} levels`);
  const elements: XmlElement[] = [];
  let text = '';
  for (const node of nodes) {
    for (const [name, value] of Object.entries(node)) {
      if (name === TEXT) text += decodeEntities(String(value));
      else if (name === CDATA) text += cdataText(value);
      else elements.push(element(name, toElements(value as readonly ParsedNode[], depth + 1)));
    }
  }
  if (elements.length === 0) return text;
  if (text.trim() !== '') throw malformedXml('text stands between elements');
  return elements;
}

function cdataText(value: unknown): string {
  return (value as readonly { readonly [TEXT]?: string }[])
    .map((node) => node[TEXT] ?? '')
    .join('');
}

const ENTITIES: ReadonlyMap<string, string> = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
]);
/** `#x10FFFF`, and some zeros before it. */
const MAX_ENTITY_CHARACTERS = 12;

/** By hand: a text of nothing else has a quarter of a million in a mebibyte, and a regular expression takes ten times as long. */
function decodeEntities(text: string): string {
  let decoded = '';
  let done = 0;
  for (let at = text.indexOf('&'); at !== -1; at = text.indexOf('&', done)) {
    const end = endOfEntity(text, at);
    const name = text.slice(at + 1, end);
    const character = ENTITIES.get(name) ?? decodeNumber(name);
    if (character === undefined) throw malformedXml('an entity is not one of XML');
    decoded += text.slice(done, at) + character;
    done = end + 1;
  }
  return done === 0 ? text : decoded + text.slice(done);
}

/** Where its semicolon is; one that is not near is not looked for. */
function endOfEntity(text: string, at: number): number {
  const last = at + 1 + MAX_ENTITY_CHARACTERS;
  for (let end = at + 1; end <= last; end += 1) {
    if (text.charCodeAt(end) === SEMICOLON) return end;
  }
  throw malformedXml('an entity does not end');
}

function decodeNumber(name: string): string | undefined {
  const match = /^#(?:x([0-9a-fA-F]{1,6})|(\d{1,7}))$/.exec(name);
  if (match === null) return undefined;
  const code = match[1] === undefined ? Number(match[2]) : Number.parseInt(match[1], 16);
  const isSurrogate = code >= 0xd800 && code <= 0xdfff;
  return code <= 0x10ffff && !isSurrogate ? String.fromCodePoint(code) : undefined;
}
