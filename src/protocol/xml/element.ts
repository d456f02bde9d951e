/** XML elements between schema and text, and how they are written. */

export interface XmlElement {
  readonly name: string;
  /** Child elements, or the text of a leaf. */
  readonly content: readonly XmlElement[] | string;
  /** Written, and never read. */
  readonly attributes?: Attributes;
}

type Attributes = readonly (readonly [name: string, value: string])[];

export function element(
  name: string,
  content: readonly XmlElement[] | string,
  attributes?: Attributes,
): XmlElement {
  return attributes === undefined ? { name, content } : { name, content, attributes };
}

/** The whole document; `namespace` becomes the root's `xmlns`. Text is escaped here and nowhere else. */
export function writeXml(root: XmlElement, namespace?: string): string {
  const attribute = namespace === undefined ? '' : writeAttribute('xmlns', namespace);
  return `<?xml version="1.0" encoding="UTF-8"?>\n${write(root, attribute)}`;
}

function write({ name, content, attributes }: XmlElement, attribute: string): string {
  let start = name + attribute;
  if (attributes) for (const [each, value] of attributes) start += writeAttribute(each, value);
  if (content.length === 0) return `<${start}/>`;
  let inside = '';
  if (typeof content === 'string') inside = escapeXml(content);
  else for (const child of content) inside += write(child, '');
  return `<${start}>${inside}</${name}>`;
}

function writeAttribute(name: string, value: string): string {
  return ` ${name}="${escapeXml(value)}"`;
}

// Control characters become references: XML 1.0 forbids most, but clients read them (semantics B.12).
const NEEDS_ESCAPE = /[&<>"'\p{Cc}\ufffe\uffff]/gu;
/** Most texts, told in a fourth of the time. */
const PLAIN = /^[ !#-%(-;=?-~]*$/;
const NAMED: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};

function escapeXml(text: string): string {
  if (PLAIN.test(text)) return text;
  return text.replace(
    NEEDS_ESCAPE,
    (character) => NAMED[character] ?? `&#x${character.charCodeAt(0).toString(16).toUpperCase()};`,
  );
}
