/** XML text to elements, refusing what could hurt: entities, depth, size, names of prototypes. */

import { XMLParser } from 'fast-xml-parser';
import { StorageError } from '../../object-store/storage-error.ts';
import { element, type XmlElement } from './element.ts';
import { parsePlainXml } from './plain.ts';

/** More than any legal document, but for those that name thousands of parts or objects (security E.2). */
export const MAX_XML_BYTES = 1024 * 1024;
/** Opening and closing ones. A completion of 10,000 parts, each with a checksum, has 80,000; each costs microseconds. */
const MAX_XML_TAGS = 120_000;
/** The protocol's deepest document has six levels. */
const MAX_XML_DEPTH = 20;

const TEXT = '#text';
const CDATA = '#cdata';

const parser = new XMLParser({
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
});

/** The root element, without namespaces. Throws MalformedXML. */
export function parseXml(text: string): XmlElement {
  if (/<!(?!--|\[CDATA\[)/.test(text)) throw malformedXml('a document type or entity is declared');
  return parsePlainXml(text, PLAIN) ?? parseAnyXml(text);
}

const PLAIN = { maxDepth: MAX_XML_DEPTH, decode: decodeEntities };

function parseAnyXml(text: string): XmlElement {
  if (hasMoreTags(text, MAX_XML_TAGS)) throw malformedXml(`more than ${MAX_XML_TAGS} tags`);
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

function hasMoreTags(text: string, limit: number): boolean {
  let count = 0;
  for (let at = text.indexOf('<'); at !== -1; at = text.indexOf('<', at + 1)) {
    count += 1;
    if (count > limit) return true;
  }
  return false;
}

export function malformedXml(reason: string, cause?: unknown): StorageError {
  return new StorageError('MalformedXML', `read XML: ${reason}`, { cause });
}

/** As fast-xml-parser gives them: `{name: children}`, `{'#text': text}`, `{'#cdata': [{'#text': text}]}`. */
type ParsedNode = Readonly<Record<string, unknown>>;

function parse(text: string): readonly ParsedNode[] {
  try {
    return parser.parse(text, true) as readonly ParsedNode[];
  } catch (cause) {
    throw malformedXml('it is not well-formed', cause);
  }
}

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

const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
};

function decodeEntities(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(/&([^;&]{0,12})(;?)/g, (_, name: string, end: string) => {
    const decoded = end === '' ? undefined : (decodeNumber(name) ?? namedEntity(name));
    if (decoded === undefined) throw malformedXml('an entity is not one of XML');
    return decoded;
  });
}

function namedEntity(name: string): string | undefined {
  return Object.hasOwn(ENTITIES, name) ? ENTITIES[name] : undefined;
}

function decodeNumber(name: string): string | undefined {
  const match = /^#(?:x([0-9a-fA-F]{1,6})|(\d{1,7}))$/.exec(name);
  if (match === null) return undefined;
  const code = match[1] === undefined ? Number(match[2]) : Number.parseInt(match[1], 16);
  const isSurrogate = code >= 0xd800 && code <= 0xdfff;
  return code <= 0x10ffff && !isSurrogate ? String.fromCodePoint(code) : undefined;
}
