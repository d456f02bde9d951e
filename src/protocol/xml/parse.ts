/**
 * Parses XML. Rejects documents that declare entities, have too many levels or tags, take too long to parse, or contain
 * an element named `constructor`, `prototype` or `__proto__`.
 */

import { createRequire } from 'node:module';

import type { XMLParser } from 'fast-xml-parser';
import { StepBudget, StepLimitError } from '../../base/step-budget.ts';
import { StorageError } from '../../object-store/storage-error.ts';
import { element, type XmlElement } from './element.ts';
import { parsePlainXml } from './plain.ts';

/**
 * The default maximum size of a document. Only documents that list thousands of parts, objects or lifecycle rules may
 * be longer (security E.2).
 */
export const MAX_XML_BYTES = 1024 * 1024;
/**
 * The maximum number of opening and closing tags in any document. A CompleteMultipartUpload request with 10,000 parts
 * and checksums has 80,000 tags. Parsing a tag takes several microseconds.
 */
export const MAX_XML_TAGS = 120_000;
/**
 * The step budget of the general parser. A step takes 5 to 6 ns, so the budget is about 40 ms. A character in text, a
 * comment or a CDATA section costs the same. A character in a tag costs more. Plain documents (see plain.ts) of any
 * valid size are cheaper and are not counted.
 */
const MAX_GENERAL_STEPS = 7_000_000;
const TEXT_STEPS = 8;
const TAG_CHARACTER_STEPS = 34;
/** The cost in steps of each character in a processing instruction. */
const INSTRUCTION_STEPS = 100;
const TAG_STEPS = 300;
/** The maximum nesting depth of elements. The deepest document of the protocol has six levels. */
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
  // `decodeEntities` decodes entities instead. It accepts only the five predefined entities and character references.
  processEntities: false,
  textNodeName: TEXT,
  cdataPropName: CDATA,
  maxNestedTags: MAX_XML_DEPTH,
};

/**
 * Parses a document and returns its root element. Element names omit namespace prefixes. `maxTags` is the maximum
 * number of tags for this kind of document. Counting the tags first takes a hundredth of the time that parsing takes.
 * Throws MalformedXML.
 */
export function parseXml(text: string, maxTags?: number): XmlElement {
  if (maxTags !== undefined) refuseMoreTags(text, maxTags);
  if (/<!(?!--|\[CDATA\[)/.test(text))
    throw malformedXml('declarations of document types and entities are not allowed');
  // XML requires a parser to normalize line breaks first.
  const lines = text.includes('\r') ? text.replaceAll(/\r\n?/g, '\n') : text;
  return parsePlainXml(lines, PLAIN) ?? parseAnyXml(lines, text.length - lines.length);
}

const PLAIN = { maxDepth: MAX_XML_DEPTH, decode: decodeEntities };

/**
 * Parses a document with the general parser. `joined` is the number of characters that line break normalization
 * removed. They count as text in the step budget.
 */
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
    throw malformedXml('the document must have exactly one root element');
  }
  return root;
}

/** Throws MalformedXML if the document has more than `limit` tags. Comments and CDATA sections also count as tags. */
function refuseMoreTags(text: string, limit: number): void {
  let count = 0;
  for (let at = text.indexOf('<'); at !== -1; at = text.indexOf('<', at + 1)) {
    count += 1;
    if (count > limit) throw malformedXml(`the document has more than ${limit} tags`);
  }
}

/** Estimates the work of the general parser before it runs. Throws MalformedXML if the work exceeds the step budget. */
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
      `the document takes ${error.message} to parse; use fewer comments and attributes`,
    );
  }
}

export function malformedXml(reason: string, cause?: unknown): StorageError {
  return new StorageError('MalformedXML', `read XML: ${reason}`, { cause });
}

/** A node as fast-xml-parser returns it: `{name: children}`, `{'#text': text}` or `{'#cdata': [{'#text': text}]}`. */
type ParsedNode = Readonly<Record<string, unknown>>;

function parse(text: string): readonly ParsedNode[] {
  try {
    return parserOfAny().parse(text, true) as readonly ParsedNode[];
  } catch (cause) {
    throw malformedXml('the document is not well-formed', cause);
  }
}

/**
 * Returns the general parser. It is loaded for the first document that is not plain, because most processes do not need
 * it.
 */
function parserOfAny(): XMLParser {
  if (parser) return parser;
  const { XMLParser: Parser } = load('fast-xml-parser') as { readonly XMLParser: typeof XMLParser };
  return (parser = new Parser(OPTIONS));
}

const load = createRequire(import.meta.url);
let parser: XMLParser | undefined;

function toElements(nodes: readonly ParsedNode[], depth: number): readonly XmlElement[] | string {
  if (depth > MAX_XML_DEPTH)
    throw malformedXml(`the document has more than ${MAX_XML_DEPTH} levels`);
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
  if (text.trim() !== '') throw malformedXml('an element must not contain both text and elements');
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
/** The maximum length of an entity name. The longest character reference, `#x10FFFF`, has 8 characters. */
const MAX_ENTITY_CHARACTERS = 12;

/**
 * Returns the text with its entities decoded. A regular expression would take ten times as long, and 1 MiB of text can
 * contain a quarter of a million entities. Throws MalformedXML for an invalid entity.
 */
function decodeEntities(text: string): string {
  let decoded = '';
  let done = 0;
  for (let at = text.indexOf('&'); at !== -1; at = text.indexOf('&', done)) {
    const end = endOfEntity(text, at);
    const name = text.slice(at + 1, end);
    const character = ENTITIES.get(name) ?? decodeNumber(name);
    if (character === undefined)
      throw malformedXml('an entity is not a predefined entity or a character reference');
    decoded += text.slice(done, at) + character;
    done = end + 1;
  }
  return done === 0 ? text : decoded + text.slice(done);
}

/**
 * Returns the position of the semicolon that ends the entity. Throws MalformedXML if the maximum length is reached
 * without a semicolon.
 */
function endOfEntity(text: string, at: number): number {
  const last = at + 1 + MAX_ENTITY_CHARACTERS;
  for (let end = at + 1; end <= last; end += 1) {
    if (text.charCodeAt(end) === SEMICOLON) return end;
  }
  throw malformedXml('an entity has no semicolon');
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

/** Returns the value of a hexadecimal digit, or infinity for any other character. */
function digitOf(code: number): number {
  if (code >= 0x30 && code <= 0x39) return code - 0x30;
  const letter = (code | 0x20) - 0x61;
  return letter >= 0 && letter < 6 ? letter + 10 : Number.POSITIVE_INFINITY;
}
