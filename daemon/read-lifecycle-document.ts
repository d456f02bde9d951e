/** A lifecycle as other tools have it: the XML of the storage protocol, or the JSON that stands for it. */

import type { NewLifecycleRule } from '../src/object-store/lifecycle.ts';
import { StorageError } from '../src/object-store/storage-error.ts';
import { readLifecycleXml } from '../src/protocol/operations/lifecycle.ts';
import { element, writeXml, type XmlElement } from '../src/protocol/xml/element.ts';

const ROOT = 'LifecycleConfiguration';

/** Members that are lists in JSON, and the element that is repeated for them. */
const LISTS: Readonly<Record<string, string>> = {
  Rules: 'Rule',
  Tags: 'Tag',
  Transitions: 'Transition',
  NoncurrentVersionTransitions: 'NoncurrentVersionTransition',
};

/** Throws as a put of that document over the wire would. */
export function readLifecycleDocument(document: string): readonly NewLifecycleRule[] {
  return readLifecycleXml(document.trimStart().startsWith('<') ? document : xmlOf(document));
}

function xmlOf(json: string): string {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch (cause) {
    throw malformed('it is neither XML nor JSON', cause);
  }
  if (!isObject(value)) throw malformed('it is no object {"Rules": […]}');
  return writeXml(element(ROOT, elementsOf(value)));
}

function elementsOf(value: Readonly<Record<string, unknown>>): readonly XmlElement[] {
  return Object.entries(value).flatMap(([name, inner]) => {
    if (!/^[A-Za-z]+$/.test(name)) throw malformed(`${JSON.stringify(name)} is no name`);
    const list = Object.hasOwn(LISTS, name) ? LISTS[name] : undefined;
    if (list === undefined) return [element(name, contentOf(inner))];
    if (!Array.isArray(inner)) throw malformed(`${name} is no list`);
    return inner.map((each: unknown) => element(list, contentOf(each)));
  });
}

function contentOf(value: unknown): XmlElement['content'] {
  if (isObject(value)) return elementsOf(value);
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') {
    return String(value);
  }
  throw malformed(`${JSON.stringify(value)} is no value`);
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function malformed(reason: string, cause?: unknown): StorageError {
  return new StorageError('MalformedXML', `read lifecycle: ${reason}`, { cause });
}
