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
  if (!isObject(value) || !Array.isArray(value['Rules'])) throw malformed(NO_RULES);
  return writeXml(element(ROOT, elementsOf(value, '')));
}

const NO_RULES =
  'it has no list "Rules", as other tools write {"Rules": [{"ID": …, "Status": "Enabled", …}]}, ' +
  'nor "rules", as `holdfast s3 lifecycle get --json` does';

/** `path` says where in the document `value` stands. */
function elementsOf(value: Readonly<Record<string, unknown>>, path: string): readonly XmlElement[] {
  return Object.entries(value).flatMap(([name, inner]) => {
    if (!/^[A-Za-z]+$/.test(name)) throw malformed(`${JSON.stringify(name)} is no name`);
    const at = path === '' ? name : `${path}.${name}`;
    const list = Object.hasOwn(LISTS, name) ? LISTS[name] : undefined;
    if (list === undefined) return [element(name, contentOf(inner, at))];
    if (!Array.isArray(inner)) throw malformed(`${at} is no list`);
    return inner.map((each: unknown, index) => element(list, contentOf(each, `${at}[${index}]`)));
  });
}

function contentOf(value: unknown, path: string): XmlElement['content'] {
  if (isObject(value)) return elementsOf(value, path);
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') {
    return String(value);
  }
  const kind = Array.isArray(value) ? 'a list' : String(value);
  throw malformed(`${path} is ${kind}, and should be a text, a number, true, false or an object`);
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function malformed(reason: string, cause?: unknown): StorageError {
  return new StorageError('MalformedXML', `read lifecycle: ${reason}`, { cause });
}
