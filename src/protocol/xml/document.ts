/** A schema with the name of its root: the whole body of a request or an answer. */

import { writeDocument } from './element.ts';
import { malformedXml, parseXml } from './parse.ts';
import type { Schema } from './schema.ts';

export interface XmlDocument<T> {
  write(value: T, namespace: string): string;
  /** Throws MalformedXML, also for more tags than `maxTags`. */
  read(text: string, maxTags?: number): T;
}

/** `alsoReadAs` names other roots that are read, such as those of older services. */
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
        throw malformedXml(`the root must be ${name}`);
      }
      return schema.parse(root.content);
    },
  };
}
