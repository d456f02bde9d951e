/**
 * Combines a schema and the name of the root element into an XML document, which is the body of a request or a response.
 */

import { writeDocument } from './element.ts';
import { malformedXml, parseXml } from './parse.ts';
import type { Schema } from './schema.ts';

export interface XmlDocument<T> {
  write(value: T, namespace: string): string;
  /** Returns the value in a document. Throws MalformedXML, also for a document with more than `maxTags` tags. */
  read(text: string, maxTags?: number): T;
}

/**
 * Returns a document with the root element `name`. `alsoReadAs` are other root names that are accepted, such as those of
 * older services and tools.
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
