/** Represents parsed XML elements, and writes XML. */

export interface XmlElement {
  readonly name: string;
  /** The child elements, or the text if the element has no child elements. */
  readonly content: readonly XmlElement[] | string;
}

type Attributes = readonly (readonly [name: string, value: string])[];

export function element(name: string, content: readonly XmlElement[] | string): XmlElement {
  return { name, content };
}

const DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\n';

/** Returns an element as an XML document. Used for documents without a schema. */
export function writeXml(root: XmlElement, namespace?: string): string {
  return writeDocument(root.name, writeContent(root.content), namespace);
}

/**
 * Returns an XML document. `namespace` becomes the root's `xmlns` attribute. `inside` is the already escaped content of
 * the root element.
 */
export function writeDocument(name: string, inside: string, namespace?: string): string {
  return (
    DECLARATION + writeElement(name, inside, namespace === undefined ? [] : [['xmlns', namespace]])
  );
}

/** Returns the XML of an element. `inside` is included unchanged, so it must consist of elements or escaped text. */
export function writeElement(name: string, inside: string, attributes?: Attributes): string {
  let start = name;
  if (attributes) for (const [each, value] of attributes) start += writeAttribute(each, value);
  return inside === '' ? `<${start}/>` : `<${start}>${inside}</${name}>`;
}

function writeContent(content: XmlElement['content']): string {
  if (typeof content === 'string') return escapeXml(content);
  return content.map((each) => writeElement(each.name, writeContent(each.content))).join('');
}

function writeAttribute(name: string, value: string): string {
  return ` ${name}="${escapeXml(value)}"`;
}

// Control characters are written as character references. XML 1.0 forbids most of these references, but clients accept
// them (semantics B.12).
const NEEDS_ESCAPE = /[&<>"'\p{Cc}\ufffe\uffff]/gu;
/** Matches most texts that need no escape. It takes a quarter of the time of NEEDS_ESCAPE. */
const PLAIN = /^[ !#-%(-;=?-~]*$/;
const NAMED: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};

export function escapeXml(text: string): string {
  if (PLAIN.test(text)) return text;
  return text.replace(
    NEEDS_ESCAPE,
    (character) => NAMED[character] ?? `&#x${character.charCodeAt(0).toString(16).toUpperCase()};`,
  );
}
