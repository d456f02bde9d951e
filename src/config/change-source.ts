/**
 * Changes the text of `config.yaml`. Lists and entries in block style are changed in place, so that comments, order and
 * all other lines are kept; those in flow style (in braces) are rewritten.
 */

import { isMap, isNode, isPair, isScalar, isSeq, parseDocument, stringify } from 'yaml';
import type { Document, Pair, YAMLMap, YAMLSeq } from 'yaml';

import { type EditedMember, editEntry, editMember } from './edit-entry.ts';
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
      /** The new value; null removes the member. */
      readonly value: unknown;
    };

/** The lines of one entry, from the start of the first line to after the line feed of the last one. */
interface Lines {
  readonly start: number;
  readonly end: number;
}

/** Returns the changed text, or undefined if no entry has the name. `text` must be valid. */
export function changeSource(text: string, change: Change): string | undefined {
  const yaml = parseDocument(text, { keepSourceTokens: true });
  if (change.kind === 'add') {
    const entry = stringify([change.entry], { lineWidth: 0 });
    return addLines(text, yaml, change.list, entry) ?? addNode(yaml, change);
  }
  const place = change.list === 'jobs' ? placeOfJob(yaml, change.name) : placeOf(yaml, change);
  if (!place) return undefined;
  const { list, index, key, path } = place;
  if (change.kind === 'remove')
    return removeLines(text, key, list, index) ?? withoutNode(yaml, path);
  const { key: member, value } = change;
  const item = list.items[index];
  if (!isMap(item) || (value === null && !item.has(member))) return text;
  const inPlace =
    value === null
      ? dropMember(text, item, member)
      : (setLine(text, item, change) ?? setMember(text, item, change));
  return inPlace ?? setInEntry(text, place, change) ?? withNode(yaml, [...path, member], value);
}

/** The position of an entry in its list. */
interface Place {
  readonly list: YAMLSeq;
  readonly index: number;
  /** The pair of the list's key and the list. */
  readonly key: Pair | undefined;
  readonly path: (string | number)[];
}

function placeOf(
  yaml: Document,
  { list: name, name: wanted }: { readonly list: ListName; readonly name: string },
): Place | undefined {
  const list = yaml.get(name);
  const index = isSeq(list)
    ? list.items.findIndex((item) => memberOf(item, 'name') === wanted)
    : -1;
  if (!isSeq(list) || index === -1) return undefined;
  return { list, index, key: keyOf(yaml.contents, name), path: [name, index] };
}

/** Returns the position of a job, which may be an entry in the `also` list of another job. */
function placeOfJob(yaml: Document, name: string): Place | undefined {
  const parts = partsOfName(name);
  const place = placeOf(yaml, { list: 'jobs', name: parts?.job ?? name });
  if (!place || !parts) return place;
  const job = place.list.items[place.index];
  const list = memberOf(job, 'also');
  if (!isSeq(list)) return undefined;
  const index = list.items.findIndex((item) => memberOf(item, 'target') === parts.target);
  if (index === -1) return undefined;
  return { list, index, key: keyOf(job, 'also'), path: [...place.path, 'also', index] };
}

function memberOf(item: unknown, key: string): unknown {
  return isMap(item) ? item.get(key) : undefined;
}

function keyOf(map: unknown, key: string): Pair | undefined {
  const pairs = isMap(map) ? map.items : [];
  return pairs.find((pair) => isPair(pair) && isScalar(pair.key) && pair.key.value === key);
}

/**
 * Adds an entry to a list by inserting lines. `entry` is a list with one item, from column 0. Returns undefined if
 * lines cannot be inserted.
 */
function addLines(text: string, yaml: Document, list: ListName, entry: string): string | undefined {
  const pair = keyOf(yaml.contents, list);
  if (!pair)
    return isMap(yaml.contents) && yaml.contents.flow ? undefined : append(text, list, entry);
  const value: unknown = pair.value;
  if (isSeq(value) && value.items.length > 0) {
    const last = entryLines(text, value, value.items.length - 1);
    return last && insert(text, last.end, indented(entry, indicatorColumn(text, value)));
  }
  const key = isScalar(pair.key) ? pair.key.range : undefined;
  if (!key) return undefined;
  // What remains of `jobs: []` or `jobs:` is the key, its colon and a comment.
  const bare = isSeq(value) && value.range ? cut(text, value.range[0] - 1, value.range[1]) : text;
  return insert(bare, lineEnd(bare, key[1]), indented(entry, 2));
}

function append(text: string, list: ListName, entry: string): string {
  return insert(text, text.length, `${list}:\n${indented(entry, 2)}`);
}

function removeLines(
  text: string,
  key: Pair | undefined,
  list: YAMLSeq,
  index: number,
): string | undefined {
  const lines = entryLines(text, list, index);
  if (!lines) return undefined;
  // If the last line of the file has no line feed, the one before it is removed.
  const open = !text.slice(0, lines.end).endsWith('\n') && lines.start > 0;
  const rest = cut(text, open ? lines.start - eolOf(text).length : lines.start, lines.end);
  if (list.items.length > 1) return rest;
  const colon = isScalar(key?.key) && key.key.range ? rest.indexOf(':', key.key.range[1]) : -1;
  return colon === -1 ? undefined : `${rest.slice(0, colon + 1)} []${rest.slice(colon + 1)}`;
}

/**
 * Sets a member to a value that fits on its line. Returns undefined if the old or the new value needs several lines.
 */
function setLine(text: string, item: YAMLMap, { key, value }: EditedMember): string | undefined {
  const written = scalarText(value);
  if (written === undefined) return undefined;
  const there = keyOf(item, key);
  if (isScalar(there?.value) && there.value.range && there.value.source) {
    const [start, end] = there.value.range;
    if (text.slice(start, end).includes('\n')) return undefined;
    return `${text.slice(0, start)}${written}${text.slice(end)}`;
  }
  return there ? undefined : addMember(text, item, `${key}: ${written}\n`);
}

/** Returns the YAML text of a value; undefined if it is not a scalar on one line. */
function scalarText(value: unknown): string | undefined {
  if (typeof value === 'object') return undefined;
  const text = stringify(value, { lineWidth: 0 }).trimEnd();
  return text.includes('\n') ? undefined : text;
}

/**
 * Returns the lines of a member; undefined for the first member of an entry, which follows the `-`, and for a member
 * that shares its lines with others.
 */
function memberLines(text: string, item: YAMLMap, key: string): Lines | undefined {
  const pair = keyOf(item, key);
  const keyRange = isScalar(pair?.key) ? pair.key.range : undefined;
  const range = isNode(pair?.value) ? pair.value.range : undefined;
  if (item.flow || !keyRange || !range) return undefined;
  const start = keyRange[0] - column(text, keyRange[0]);
  if (text.slice(start, keyRange[0]).trim() !== '') return undefined;
  return { start, end: text[range[1] - 1] === '\n' ? range[1] : lineEnd(text, range[1]) };
}

function dropMember(text: string, item: YAMLMap, key: string): string | undefined {
  const lines = memberLines(text, item, key);
  return lines && cut(text, lines.start, lines.end);
}

/** Sets a member by rewriting only its lines. */
function setMember(text: string, item: YAMLMap, member: EditedMember): string | undefined {
  if (!item.has(member.key))
    return addMember(text, item, stringify({ [member.key]: member.value }));
  const lines = memberLines(text, item, member.key);
  return lines && rewritten(text, lines, (block) => editMember(block, member));
}

/**
 * Inserts the lines of a new member below the entry's name. Returns undefined if the entry is in flow style or has no
 * name.
 */
function addMember(text: string, item: YAMLMap, lines: string): string | undefined {
  const name = item.get('name', true) ?? item.get('target', true);
  if (item.flow || !item.range || !isScalar(name) || !name.range) return undefined;
  return insert(text, lineEnd(text, name.range[1]), indented(lines, column(text, item.range[0])));
}

/** Sets a member by rewriting only its entry. Returns undefined for a list in flow style. */
function setInEntry(
  text: string,
  { list, index }: Place,
  member: EditedMember,
): string | undefined {
  const lines = entryLines(text, list, index);
  return lines && rewritten(text, lines, (block) => editEntry(block, member));
}

/** Replaces lines with those that `write` returns. `write` receives the lines without their indentation. */
function rewritten(
  text: string,
  { start, end }: Lines,
  write: (block: string) => string | undefined,
): string | undefined {
  const block = text.slice(start, end).replaceAll('\r\n', '\n');
  const columns = block.search(/\S/);
  const changed = write(block.replaceAll(new RegExp(`^ {${columns}}`, 'gm'), ''));
  return changed && insert(cut(text, start, end), start, indented(changed, columns));
}

/** Returns the lines of an entry; undefined for a list in flow style. */
function entryLines(text: string, list: YAMLSeq, index: number): Lines | undefined {
  const range = (list.items[index] as YAMLMap).range;
  const indicator = indicatorOffset(list, index);
  if (!range || indicator === undefined) return undefined;
  const start = indicator - column(text, indicator);
  if (text.slice(start, indicator).trim() !== '') return undefined;
  const end = text[range[1] - 1] === '\n' ? range[1] : lineEnd(text, range[1]);
  return { start, end: endOfComments(text, end, indicator - start) };
}

/**
 * Returns the end of the comments directly below an entry. They belong to the entry if they are indented further than
 * its `-`.
 */
function endOfComments(text: string, from: number, column: number): number {
  const below = new RegExp(`(?: {${column + 1},}#.*(?:\\n|$))*`, 'y');
  below.lastIndex = from;
  return from + (below.exec(text)?.[0].length ?? 0);
}

function indicatorOffset(list: YAMLSeq, index: number): number | undefined {
  const token = list.srcToken;
  if (token?.type !== 'block-seq') return undefined;
  return token.items[index]?.start.find((each) => each.type === 'seq-item-ind')?.offset;
}

function indicatorColumn(text: string, list: YAMLSeq): number {
  return column(text, indicatorOffset(list, 0) ?? 0);
}

function column(text: string, offset: number): number {
  return offset - (text.lastIndexOf('\n', offset - 1) + 1);
}

/** Returns the offset after the line feed of the line that contains `offset`. */
function lineEnd(text: string, offset: number): number {
  const feed = text.indexOf('\n', offset);
  return feed === -1 ? text.length : feed + 1;
}

function indented(lines: string, columns: number): string {
  return lines.replaceAll(/^(?=.)/gm, ' '.repeat(columns));
}

function eolOf(text: string): string {
  return text.includes('\r\n') ? '\r\n' : '\n';
}

/**
 * Inserts whole lines with the line endings of the text. If its last line has no line feed, the result has none either.
 */
function insert(text: string, offset: number, lines: string): string {
  const eol = eolOf(text);
  const own = lines.replaceAll('\n', eol);
  const before = text.slice(0, offset);
  if (before === '' || before.endsWith('\n')) return `${before}${own}${text.slice(offset)}`;
  return `${before}${eol}${own.slice(0, -eol.length)}`;
}

function cut(text: string, start: number, end: number): string {
  return text.slice(0, start) + text.slice(end);
}

function addNode(yaml: Document, change: Extract<Change, { kind: 'add' }>): string {
  if (isSeq(yaml.get(change.list))) yaml.addIn([change.list], yaml.createNode(change.entry));
  else yaml.set(change.list, yaml.createNode([change.entry]));
  return written(yaml);
}

function withNode(yaml: Document, path: (string | number)[], value: unknown): string {
  if (value === null) yaml.deleteIn(path);
  else yaml.setIn(path, yaml.createNode(value));
  return written(yaml);
}

function withoutNode(yaml: Document, path: (string | number)[]): string {
  yaml.deleteIn(path);
  return written(yaml);
}

function written(yaml: Document): string {
  return yaml.toString({ lineWidth: 0 });
}
