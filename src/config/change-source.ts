/**
 * Changes the text of `config.yaml` with the `Document` API of the `yaml` package, which preserves comments and the
 * order of keys. The package reformats the whole text, so the user's own lines are put back wherever the change did not
 * affect them.
 */

import { isDeepStrictEqual } from 'node:util';

import {
  Composer,
  isAlias,
  isCollection,
  isMap,
  isNode,
  isPair,
  isScalar,
  isSeq,
  Parser,
} from 'yaml';
import type { CST, Document, Node, ToStringOptions, YAMLMap, YAMLSeq } from 'yaml';

import { invariant } from '../base/errors.ts';
import { diffLines } from '../text/line-diff.ts';
import { readDocument } from './document.ts';
import { partsOfName } from './job-name.ts';
import type { JobEntry, TargetEntry } from './schema.ts';

type ListName = 'jobs' | 'targets';

export type Change =
  | { readonly kind: 'add'; readonly list: 'jobs'; readonly entry: JobEntry }
  | { readonly kind: 'add'; readonly list: 'targets'; readonly entry: TargetEntry }
  | { readonly kind: 'remove'; readonly list: ListName; readonly name: string }
  | {
      readonly kind: 'set';
      readonly list: ListName;
      readonly name: string;
      readonly key: string;
      /** The new value. Null removes the option. */
      readonly value: unknown;
    }
  | {
      readonly kind: 'section';
      readonly section: 'storage';
      readonly key: string;
      readonly value: unknown;
    };

/**
 * Returns the changed text. Returns undefined if no entry has that name, or if the section is an alias. `text` must be
 * valid.
 */
export function changeSource(text: string, change: Change): string | undefined {
  return editSource(text, (yaml) => apply(yaml, change));
}

/**
 * Returns the text after `edit` has changed the parsed YAML document. Returns undefined if `edit` returns false (it
 * changed nothing) or if the text has syntax errors.
 */
export function editSource(text: string, edit: (yaml: Document) => boolean): string | undefined {
  const own = text.replaceAll('\r\n', '\n');
  const yaml = parse(own);
  if (yaml.errors.length > 0) return undefined;
  const format = formatOf(own);
  const before = yaml.toString(format);
  if (!edit(yaml)) return undefined;
  const changed = withOwnLines(own, { before, after: yaml.toString(format) });
  return text.includes('\r\n') ? changed.replaceAll('\n', '\r\n') : changed;
}

function parse(text: string): Document {
  const tokens = [...new Parser().parse(text)];
  for (const token of tokens) if (token.type === 'document') takeOuterComments(token.value);
  const [yaml] = new Composer().compose(tokens, true, text.length);
  invariant(yaml, 'the composer returns a document');
  return yaml;
}

/**
 * Removes comments at the end of a collection that are indented less than the collection, and returns them. The parser
 * attaches such comments to the collection if they follow an indented comment. Removing the collection would remove
 * these comments too.
 */
function takeOuterComments(token: CST.Token | null | undefined): CST.SourceToken[] {
  if (token?.type !== 'block-map' && token?.type !== 'block-seq') return [];
  const items: { start: CST.SourceToken[]; sep?: CST.SourceToken[]; value?: CST.Token }[] =
    token.items;
  for (const [index, { value }] of items.entries()) {
    const outer = takeOuterComments(value);
    if (outer.length > 0 && items[index + 1]) items[index + 1]?.start.unshift(...outer);
    else if (outer.length > 0) items.push({ start: outer });
  }
  const last = items.at(-1);
  if (!last || last.sep || last.value) return [];
  const isOuter = ({ type, indent }: CST.SourceToken) =>
    type === 'comment' && indent < token.indent;
  const first = last.start.findIndex(isOuter);
  return first === -1 ? [] : last.start.splice(first);
}

/**
 * Returns the formatting options that are closest to the user's formatting. The indentation is taken from the first
 * list.
 */
function formatOf(text: string): ToStringOptions {
  const columns = /^( *)- /m.exec(text)?.[1]?.length ?? 2;
  const indentation = { indentSeq: columns > 0, indent: columns || 2 };
  // `verifyAliasOrder` is off because the changed text is parsed again, which reports an alias without its anchor.
  return { ...indentation, lineWidth: 0, verifyAliasOrder: false };
}

/** Applies the change to the parsed YAML document. Returns false if no entry has that name. */
function apply(yaml: Document, change: Change): boolean {
  if (change.kind === 'add') {
    addEntry(yaml, change);
    return true;
  }
  if (change.kind === 'section') return setInSection(yaml, change);
  const place = placeOf(yaml, change);
  if (!place) return false;
  const { list, index } = place;
  const entry = list.items[index];
  if (change.kind === 'remove') removeItem(list, index);
  else if (isMap(entry)) setOption(yaml, entry, change);
  return true;
}

/** The position of an entry in its list. */
interface Place {
  readonly list: YAMLSeq;
  readonly index: number;
}

/** Returns the position of a target or job. A job may be an entry in the `also` list of another job. */
function placeOf(
  yaml: Document,
  { list, name }: { readonly list: ListName; readonly name: string },
): Place | undefined {
  const parts = list === 'jobs' ? partsOfName(name) : undefined;
  const place = find(yaml.get(list), 'name', parts?.job ?? name);
  if (!place || !parts) return place;
  const job = place.list.items[place.index];
  return find(isMap(job) ? job.get('also') : undefined, 'target', parts.target);
}

function find(list: unknown, key: string, value: string): Place | undefined {
  if (!isSeq(list)) return undefined;
  const index = list.items.findIndex((item) => isMap(item) && item.get(key) === value);
  return index === -1 ? undefined : { list, index };
}

function addEntry(yaml: Document, { list: name, entry }: Extract<Change, { kind: 'add' }>): void {
  if (!isMap(yaml.contents)) yaml.contents = createNode(yaml, {}, yaml.contents);
  const list = yaml.get(name, true);
  if (isSeq(list) && list.items.length > 0) list.add(yaml.createNode(entry));
  else yaml.set(name, createNode(yaml, [entry], list));
}

/** Sets an option of a section. Returns false if the section is an alias. */
function setInSection(
  yaml: Document,
  { section: name, key, value }: Extract<Change, { kind: 'section' }>,
): boolean {
  if (!isMap(yaml.contents)) yaml.contents = createNode(yaml, {}, yaml.contents);
  const section = yaml.get(name, true);
  if (isMap(section)) setMember(yaml, section, key, value);
  else if (isAlias(section)) return false;
  else yaml.set(name, createNode(yaml, { [key]: value }, section));
  return true;
}

/** Sets an option of an entry. Removes the option if the value is null. */
function setOption(
  yaml: Document,
  entry: YAMLMap,
  { key, value }: { readonly key: string; readonly value: unknown },
): void {
  const index = entry.items.findIndex((pair) => nameOf(pair.key) === key);
  if (index !== -1 && value === null) removeItem(entry, index);
  else if (index !== -1) setMember(yaml, entry, key, value);
  else if (value !== null) {
    // New options go below the name. At the end of the entry, they might end up below a comment.
    const label = entry.has('name') ? 'name' : 'target';
    const below = entry.items.findIndex((pair) => nameOf(pair.key) === label) + 1;
    const at = entry.flow || below === 0 ? entry.items.length : below;
    entry.items.splice(at, 0, yaml.createPair(key, value));
  }
}

function nameOf(key: unknown): unknown {
  return isScalar(key) ? key.value : key;
}

/** Sets the value of a key in a map. The parts that are equal in the new value keep their comments and order. */
function setMember(yaml: Document, map: YAMLMap, key: string, value: unknown): void {
  const there = map.get(key, true);
  if (isNode(there) && merged(yaml, there, value)) return;
  // The `yaml` package changes a scalar in place if the new value is also a scalar.
  map.set(key, isScalar(there) && !isObject(value) ? value : createNode(yaml, value, there));
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
  const superfluous = node.items.filter(({ key }) => {
    const name = nameOf(key);
    return typeof name !== 'string' || !Object.hasOwn(value, name);
  });
  for (const pair of superfluous) removeItem(node, node.items.indexOf(pair));
  for (const [key, inner] of Object.entries(value)) setMember(yaml, node, key, inner);
  return true;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/** Creates a node with the comments of the node that it replaces. */
function createNode(yaml: Document, value: unknown, replaced: unknown): Node {
  const node = yaml.createNode(value);
  if (!isNode(replaced)) return node;
  const comment = joined(replaced.commentBefore, replaced.comment);
  if (isCollection(node)) node.commentBefore = comment;
  else node.comment = comment;
  return node;
}

/**
 * Removes an item and its own comments. Keeps the comments above the item, because they may concern the items that
 * follow.
 */
function removeItem(collection: YAMLMap | YAMLSeq, index: number): void {
  const items: unknown[] = collection.items;
  const above = nodeOf(items.splice(index, 1)[0])?.commentBefore;
  const next = nodeOf(items[index]);
  if (next) next.commentBefore = joined(above, next.commentBefore);
  else collection.comment = joined(above, collection.comment);
}

/** Returns the node to which the comments above an item are attached. */
function nodeOf(item: unknown): Node | undefined {
  const node = isPair(item) ? item.key : item;
  return isNode(node) ? node : undefined;
}

function joined(...comments: readonly (string | null | undefined)[]): string | null {
  return comments.filter(Boolean).join('\n') || null;
}

interface Formatted {
  /** The text as the `yaml` package formats it before the change. */
  readonly before: string;
  /** The text as the `yaml` package formats it after the change. */
  readonly after: string;
}

/**
 * Returns `after` with the user's own lines wherever the change left them equal. Returns `after` unchanged if the
 * result would have another meaning, because the user's indentation differs from that of the new lines.
 */
function withOwnLines(text: string, { before, after }: Formatted): string {
  const end = text.slice(text.trimEnd().length);
  // Each line is compared together with the blank lines above it. Only the user's blank lines are kept.
  const own = text.trimEnd().split(/(?<=\S.*)\n/);
  const [old, now] = [before, after].map((each) => each.split('\n').filter(withoutSpaces)) as [
    string[],
    string[],
  ];
  const ownOf = new Map(commonLines(old.map(withoutSpaces), own.map(withoutSpaces)));
  const ends = commonLines(old, now).flatMap(([inOld, inNow]) => {
    const inOwn = ownOf.get(inOld);
    return inOwn === undefined ? [] : [{ inOld, inNow, inOwn }];
  });
  const lines: string[] = [];
  let from = { inOld: 0, inNow: 0, inOwn: 0 };
  // Between two lines that all three texts have in common, either the user's lines or the new lines are used.
  for (const to of [...ends, { inOld: old.length, inNow: now.length, inOwn: own.length }]) {
    const unchanged = own.slice(from.inOwn, to.inOwn);
    const changed = now.slice(from.inNow, to.inNow);
    const isEqual = isDeepStrictEqual(old.slice(from.inOld, to.inOld), changed);
    // A line that replaces a line of the user keeps the blank lines above that line.
    if (changed[0] !== undefined) changed[0] = `${blankLinesOf(unchanged[0])}${changed[0]}`;
    lines.push(...(isEqual ? unchanged : changed), ...own.slice(to.inOwn, to.inOwn + 1));
    from = { inOld: to.inOld + 1, inNow: to.inNow + 1, inOwn: to.inOwn + 1 };
  }
  const result = `${lines.join('\n')}${end}`;
  return isDeepStrictEqual(readDocument(result).data, readDocument(after).data) ? result : after;
}

function withoutSpaces(line: string): string {
  return line.replaceAll(/\s/g, '');
}

function blankLinesOf(line: string | undefined): string {
  return /^(?:[^\S\n]*\n)*/.exec(line ?? '')?.[0] ?? '';
}

/** Returns the index pairs of lines that both texts have in common, in order. */
function commonLines(
  old: readonly string[],
  now: readonly string[],
): (readonly [number, number])[] {
  return diffLines(old, now).flatMap(({ before, after }) =>
    before === undefined || after === undefined ? [] : [[before - 1, after - 1] as const],
  );
}
