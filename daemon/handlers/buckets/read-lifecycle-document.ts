/**
 * Reads a lifecycle configuration in the formats of other tools: XML as in the S3 API, or JSON with the same
 * structure.
 */

import type { NewLifecycleRule } from '../../../src/object-store/lifecycle.ts';
import { StorageError } from '../../../src/object-store/storage-error.ts';
import { readLifecycleXml } from '../../../src/protocol/operations/lifecycle.ts';
import { element, writeXml, type XmlElement } from '../../../src/protocol/xml/element.ts';

const ROOT = 'LifecycleConfiguration';

/** JSON properties that contain a list, with the name of the XML element for each list entry. */
const LISTS: Readonly<Record<string, string>> = {
  Rules: 'Rule',
  Tags: 'Tag',
  Transitions: 'Transition',
  NoncurrentVersionTransitions: 'NoncurrentVersionTransition',
};

/** Returns the rules of a lifecycle configuration. Throws the same StorageErrors as PutBucketLifecycleConfiguration. */
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
  'it has neither a "Rules" list, such as {"Rules": [{"ID": …, "Status": "Enabled", …}]} from other tools, ' +
  'nor a "rules" list as printed by `holdfast s3 lifecycle get --json`';

/**
 * Converts a JSON object to XML elements. `path` is the position of the object in the lifecycle configuration, for
 * error messages.
 */
function elementsOf(value: Readonly<Record<string, unknown>>, path: string): readonly XmlElement[] {
  return Object.entries(value).flatMap(([name, inner]) => {
    if (!/^[A-Za-z]+$/.test(name)) throw malformed(`invalid member name ${JSON.stringify(name)}`);
    const at = path === '' ? name : `${path}.${name}`;
    const list = Object.hasOwn(LISTS, name) ? LISTS[name] : undefined;
    if (list === undefined) return [element(name, contentOf(inner, at))];
    if (!Array.isArray(inner)) throw malformed(`${at} must be a list`);
    return inner.map((each: unknown, index) => element(list, contentOf(each, `${at}[${index}]`)));
  });
}

function contentOf(value: unknown, path: string): XmlElement['content'] {
  if (isObject(value)) return elementsOf(value, path);
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') {
    return String(value);
  }
  const kind = Array.isArray(value) ? 'a list' : String(value);
  throw malformed(`${path} must be a string, a number, true, false or an object, not ${kind}`);
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function malformed(reason: string, cause?: unknown): StorageError {
  return new StorageError('MalformedXML', `cannot read the lifecycle document: ${reason}`, {
    cause,
  });
}
