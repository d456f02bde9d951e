/** Changes one member of one entry by the YAML parser. Unchanged parts keep their comments and order. */

import { isDeepStrictEqual } from 'node:util';

import { isCollection, isMap, isNode, isScalar, isSeq, parseDocument, visit } from 'yaml';
import type { Document, Node, YAMLMap } from 'yaml';

export interface EditedMember {
  readonly key: string;
  /** The new value; null removes the member. */
  readonly value: unknown;
}

/**
 * Returns the changed text of a list with one entry, from column 0; undefined if the text cannot be parsed by itself.
 */
export function editEntry(block: string, member: EditedMember): string | undefined {
  return edit(block, member, ({ contents }) => (isSeq(contents) ? contents.items[0] : undefined));
}

/**
 * Returns the changed text of one member of an entry, from column 0; undefined if the text cannot be parsed by itself.
 */
export function editMember(block: string, member: EditedMember): string | undefined {
  return edit(block, member, ({ contents }) => contents);
}

function edit(
  block: string,
  { key, value }: EditedMember,
  find: (yaml: Document) => unknown,
): string | undefined {
  const yaml: Document = parseDocument(block);
  const map = find(yaml);
  if (yaml.errors.length > 0 || !isMap(map) || hasAlias(yaml)) return undefined;
  if (value === null) map.delete(key);
  else setMember(yaml, map, { key, value });
  return yaml.toString({ lineWidth: 0 });
}

/** Returns whether the text has an alias, whose anchor may be outside of it. */
function hasAlias(yaml: Document): boolean {
  let has = false;
  visit(yaml, {
    Alias() {
      has = true;
      return visit.BREAK;
    },
  });
  return has;
}

function setMember(yaml: Document, map: YAMLMap, { key, value }: EditedMember): void {
  const there = map.get(key, true);
  if (isNode(there) && merged(yaml, there, value)) return;
  // A scalar that replaces a scalar keeps the comment after it.
  map.set(key, isScalar(there) && !isObject(value) ? value : yaml.createNode(value));
}

/** Changes `node` to `value` in place. Returns false if that is impossible. */
function merged(yaml: Document, node: Node, value: unknown): boolean {
  if (!isCollection(node)) return isDeepStrictEqual(node.toJS(yaml), value);
  if (isSeq(node) && Array.isArray(value)) {
    const left = new Set(node.items);
    node.items = value.map((each: unknown) => {
      const known = [...left].find(
        (item) => isNode(item) && isDeepStrictEqual(item.toJS(yaml), each),
      );
      if (known !== undefined) left.delete(known);
      return known ?? yaml.createNode(each);
    });
    return true;
  }
  if (!isMap(node) || !isObject(value) || Array.isArray(value)) return false;
  const names = node.items.map(({ key }) => (isScalar(key) ? key.value : key));
  for (const name of names)
    if (typeof name !== 'string' || !Object.hasOwn(value, name)) node.delete(name);
  for (const [key, inner] of Object.entries(value)) setMember(yaml, node, { key, value: inner });
  return true;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
