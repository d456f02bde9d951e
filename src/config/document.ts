/** The text of `config.yaml` as plain data that still knows where each value stands. */

import { isMap, isNode, isScalar, LineCounter, parseDocument } from 'yaml';
import type { Document, Node } from 'yaml';

import { errorMessage } from '../base/errors.ts';
import type { ConfigProblem } from './config-error.ts';

export type Path = readonly (string | number)[];

export interface ConfigDocument {
  /** Maps, lists and scalars; keys without a value are left out, since `jobs:` alone means none. */
  readonly data: unknown;
  /** What is wrong with the text as YAML; then `data` is not to be relied on. */
  readonly problems: readonly ConfigProblem[];
  /** A problem at the value, or at the nearest thing around it that is there. */
  problemAt(path: Path, message: string): ConfigProblem;
  /** A problem at the key itself. */
  problemAtKey(path: Path, key: string, message: string): ConfigProblem;
}

/** An alias that stands for a list of aliases grows without bound: the file needs none of that. */
const MAX_ALIASES = 100;

/** In the words of the parser, which finds it in the next line. */
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

/** `['jobs', 1, 'bucket']` is `jobs[1].bucket`. */
function pathText(path: Path): string {
  return path
    .map((part, index) =>
      typeof part === 'number' ? `[${part}]` : `${index > 0 ? '.' : ''}${part}`,
    )
    .join('');
}
