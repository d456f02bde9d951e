/** Parses the text of `config.yaml` to plain data, and finds the position of each value in the text. */

import { isMap, isNode, isScalar, LineCounter, parseDocument } from 'yaml';
import type { Document, Node } from 'yaml';

import { errorMessage } from '../base/errors.ts';
import type { ConfigProblem } from './config-error.ts';

export type Path = readonly (string | number)[];

export interface ConfigDocument {
  /**
   * The parsed maps, lists and scalars. Keys without a value are omitted, so a bare `jobs:` is the same
   * as a missing `jobs`.
   */
  readonly data: unknown;
  /** The syntax errors of the YAML text. If there are any, `data` is undefined. */
  readonly problems: readonly ConfigProblem[];
  /**
   * Returns a problem at the position of the value. If the value does not exist, the position is that of
   * the nearest existing parent.
   */
  problemAt(path: Path, message: string): ConfigProblem;
  /** Returns a problem at the position of the key. */
  problemAtKey(path: Path, key: string, message: string): ConfigProblem;
}

/**
 * The maximum number of aliases. Nested aliases can expand without bound, and configuration files do not
 * need many.
 */
const MAX_ALIASES = 100;

/**
 * Matches the parser's message about an unclosed bracket. The parser detects an unclosed bracket only in
 * the next line.
 */
const UNCLOSED = /must be sufficiently indented and end with a (.)$/;

function plainMessage(message: string): string {
  return message === 'Tabs are not allowed as indentation' ? `${message}; use spaces` : message;
}

export function readDocument(text: string): ConfigDocument {
  const lines = new LineCounter();
  const yaml = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const place = (offset: number) => {
    const { line, col } = lines.linePos(offset);
    return { line, column: col };
  };
  const problems: ConfigProblem[] = [...yaml.errors, ...yaml.warnings].map(
    ({ message, pos: [offset] }) => {
      const [, bracket] = UNCLOSED.exec(message) ?? [];
      if (bracket === undefined)
        return Object.assign(place(offset), { message: plainMessage(message) });
      const end = text.slice(0, offset).trimEnd().length;
      return Object.assign(place(end), { message: `the closing ${bracket} is missing` });
    },
  );
  return {
    ...plainData(yaml, problems),
    problemAt: (path, message) => ({
      ...place(offsetOf(yaml, path)),
      path: pathText(path),
      message,
    }),
    problemAtKey: (path, key, message) => ({
      ...place(keyOffset(yaml, path, key)),
      path: pathText([...path, key]),
      message,
    }),
  };
}

function plainData(yaml: Document, problems: readonly ConfigProblem[]) {
  if (problems.length > 0) return { data: undefined, problems };
  try {
    return { data: withoutNulls(yaml.toJS({ maxAliasCount: MAX_ALIASES })), problems };
  } catch (error) {
    return { data: undefined, problems: [{ message: errorMessage(error) }] };
  }
}

function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).filter(([, member]) => member !== null);
  return Object.fromEntries(members.map(([key, member]) => [key, withoutNulls(member)]));
}

function offsetOf(yaml: Document, path: Path): number {
  for (let length = path.length; length >= 0; length -= 1) {
    const node = nodeAt(yaml, path.slice(0, length));
    if (node?.range) return node.range[0];
  }
  return 0;
}

function keyOffset(yaml: Document, path: Path, key: string): number {
  const parent = nodeAt(yaml, path);
  const pair = isMap(parent)
    ? parent.items.find((each) => isScalar(each.key) && String(each.key.value) === key)
    : undefined;
  const range = isScalar(pair?.key) ? pair.key.range : undefined;
  return range ? range[0] : offsetOf(yaml, path);
}

function nodeAt(yaml: Document, path: Path): Node | undefined {
  const node: unknown = path.length === 0 ? yaml.contents : yaml.getIn(path, true);
  return isNode(node) ? node : undefined;
}

/** Formats a path. For example, `['jobs', 1, 'bucket']` becomes `jobs[1].bucket`. */
function pathText(path: Path): string {
  return path
    .map((part, index) =>
      typeof part === 'number' ? `[${part}]` : `${index > 0 ? '.' : ''}${part}`,
    )
    .join('');
}
