/** Combines a schema and a root element name into an XML document type for request or response bodies. */

import { writeDocument } from './element.ts';
import { malformedXml, parseXml } from './parse.ts';
import type { Schema } from './schema.ts';

export interface XmlDocument<T> {
  write(value: T, namespace: string): string;
  /**
   * Parses a document and returns its value. Throws MalformedXML for an invalid document and for a document with more
   * than `maxTags` tags.
   */
  read(text: string, maxTags?: number): T;
}

/**
 * Returns a document type with the root element `name`. `alsoReadAs` lists further accepted root names, which older
 * services and tools use.
 */
export function document<T>(
  name: string,
  schema: Schema<T>,
  alsoReadAs: readonly string[] = [],
): XmlDocument<T> {
  return {
    write: (value, namespace) => writeDocument(name, schema.write(value), namespace),
    read: (text, maxTags) => {
      const root = parseXml(text, maxTags);
      if (root.name !== name && !alsoReadAs.includes(root.name)) {
        throw malformedXml(`the root element must be ${name}`);
      }
      return schema.parse(root.content);
    },
  };
}
