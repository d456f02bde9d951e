/** XML text to elements, refusing what could hurt: entities, depth, size, work, names of prototypes. */

import { createRequire } from 'node:module';

import type { XMLParser } from 'fast-xml-parser';
import { StepBudget, StepLimitError } from '../../base/step-budget.ts';
import { StorageError } from '../../object-store/storage-error.ts';
import { element, type XmlElement } from './element.ts';
import { parsePlainXml } from './plain.ts';

/** More than any legal document, but for those that name thousands of parts or objects (security E.2). */
export const MAX_XML_BYTES = 1024 * 1024;
/** Opening and closing ones. A completion of 10,000 parts, each with a checksum, has 80,000; each costs microseconds. */
export const MAX_XML_TAGS = 120_000;
/**
 * Work of the general parser, in units of 5 to 6 ns: about 40 ms. A character of text costs as much as one of a comment or a
 * section, a character of a tag costs more. Plain documents cost less at any legal size and are not counted.
 */
const MAX_GENERAL_STEPS = 7_000_000;
const TEXT_STEPS = 8;
const TAG_CHARACTER_STEPS = 34;
/** Of a processing instruction. */
const INSTRUCTION_STEPS = 100;
const TAG_STEPS = 300;
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
  // As a parser of XML has to, before anything else.
  const lines = text.includes('\r') ? text.replaceAll(/\r\n?/g, '\n') : text;
  return parsePlainXml(lines, PLAIN) ?? parseAnyXml(lines, text.length - lines.length);
}

const PLAIN = { maxDepth: MAX_XML_DEPTH, decode: decodeEntities };

/** `joined`: characters of line ends that were removed before, which cost as much as text. */
function parseAnyXml(text: string, joined: number): XmlElement {
  refuseMoreTags(text, MAX_XML_TAGS);
  refuseMoreWork(text, joined * TEXT_STEPS);
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

/** Throws before the parser has done any of it. */
function refuseMoreWork(text: string, doneSteps: number): void {
  const budget = new StepBudget(MAX_GENERAL_STEPS);
  try {
    budget.spend(doneSteps);
    let done = 0;
    for (let at = text.indexOf('<'); at !== -1; at = text.indexOf('<', done)) {
      const second = text[at + 1];
      const close = text.indexOf(second === '?' ? '?>' : '>', at);
      const end = close === -1 ? text.length : close + 1;
      const each =
        second === '?' ? INSTRUCTION_STEPS : second === '!' ? TEXT_STEPS : TAG_CHARACTER_STEPS;
      budget.spend((at - done) * TEXT_STEPS + TAG_STEPS + (end - at) * each);
      done = end;
    }
    budget.spend((text.length - done) * TEXT_STEPS);
  } catch (error) {
    if (!(error instanceof StepLimitError)) throw error;
    throw malformedXml(
      `it takes ${error.message} to read; write it with fewer comments and attributes`,
    );
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
  const isHex = name.startsWith('#x');
  const digits = name.slice(isHex ? 2 : 1);
  if (!name.startsWith('#') || digits === '' || digits.length > (isHex ? 6 : 7)) return undefined;
  let code = 0;
  for (let at = 0; at < digits.length; at += 1) {
    const digit = digitOf(digits.charCodeAt(at));
    if (digit >= (isHex ? 16 : 10)) return undefined;
    code = code * (isHex ? 16 : 10) + digit;
  }
  const isSurrogate = code >= 0xd800 && code <= 0xdfff;
  return code <= 0x10ffff && !isSurrogate ? String.fromCodePoint(code) : undefined;
}

/** Infinite for what is not a hexadecimal digit. */
function digitOf(code: number): number {
  if (code >= 0x30 && code <= 0x39) return code - 0x30;
  const letter = (code | 0x20) - 0x61;
  return letter >= 0 && letter < 6 ? letter + 10 : Number.POSITIVE_INFINITY;
}
