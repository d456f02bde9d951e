/**
 * Defines schemas that write and parse XML documents. Parsing ignores the order of elements and ignores unknown
 * elements. Known elements must be valid. For example, parsing throws MalformedXML if an element that must be unique is
 * repeated.
 */

import type { Codec } from '../codecs.ts';
import { escapeXml, writeElement, type XmlElement } from './element.ts';
import { malformedXml } from './parse.ts';

/** Writes and parses the content of an element. */
export interface Schema<T> {
  /**
   * Returns the elements or the escaped text between the tags. The result is a string, because building a tree is slow
   * for pages of 1,000 names.
   */
  readonly write: (value: T) => string;
  /** Parses the content of an element. Throws MalformedXML. The message contains `name`, the name of the element. */
  readonly parse: (content: readonly XmlElement[] | string, name?: string) => T;
}

/**
 * A property of the parsed value, with the names of its XML elements. `parse` receives all elements with these names in
 * document order.
 */
export interface Field<T> {
  readonly names: readonly string[];
  write(value: T | undefined): string;
  parse(found: readonly XmlElement[]): T | undefined;
}

export type Fields<T> = { readonly [K in keyof T]-?: Field<Exclude<T[K], undefined>> };

/** Returns the schema of an element that contains only text. The codec converts the text. */
export function leaf<T>(codec: Codec<T>): Schema<T> {
  return {
    write: codec.encodeXml ?? ((value) => escapeXml(codec.encode(value))),
    parse: (content, name = 'a value') => {
      // Whitespace is part of the text of an element.
      const value = typeof content === 'string' ? codec.decode(content) : undefined;
      if (value === undefined) throw malformedXml(`${name} is not valid`);
      return value;
    },
  };
}

/** Returns the schema of an element with named child elements. They are written in the order of `fields`. */
export function record<T extends object>(fields: Fields<T>): Schema<T> {
  const members = Object.entries(fields) as unknown as [keyof T, Field<unknown>][];
  const owner = new Map<string, Field<unknown>>();
  for (const [, field] of members) for (const name of field.names) owner.set(name, field);
  return {
    write: (value) => {
      let inside = '';
      for (const [member, field] of members) inside += field.write(value[member]);
      return inside;
    },
    parse: (content) => {
      const found = sortByField(content, owner);
      const value: Partial<Record<keyof T, unknown>> = {};
      for (const [member, field] of members) {
        const parsed = field.parse(found.get(field) ?? []);
        if (parsed !== undefined) value[member] = parsed;
      }
      return value as T;
    },
  };
}

/**
 * Returns the schema of a record that rejects unknown elements. It is used where a misspelled element would change the
 * meaning of the other elements.
 */
export function closed<T extends object>(fields: Fields<T>): Schema<T> {
  const known = new Set(Object.values<Field<unknown>>(fields).flatMap(({ names }) => names));
  const { write, parse } = record<T>(fields);
  return {
    write,
    parse: (content) => {
      const unknown =
        typeof content === 'string' ? undefined : content.find(({ name }) => !known.has(name));
      if (unknown) throw malformedXml(`the element ${unknown.name} is not allowed here`);
      return parse(content);
    },
  };
}

function sortByField(
  content: readonly XmlElement[] | string,
  owner: ReadonlyMap<string, Field<unknown>>,
): Map<Field<unknown>, XmlElement[]> {
  const found = new Map<Field<unknown>, XmlElement[]>();
  if (typeof content === 'string') {
    if (content.trim() !== '') throw malformedXml('an element must contain elements, not text');
    return found;
  }
  for (const child of content) {
    const field = owner.get(child.name);
    if (field === undefined) continue;
    const siblings = found.get(field);
    if (siblings === undefined) found.set(field, [child]);
    else siblings.push(child);
  }
  return found;
}

export function optional<T>(name: string, schema: Schema<T>): Field<T> {
  const write = elementWriter(name, schema);
  return {
    names: [name],
    write: (value) => (value === undefined ? '' : write(value)),
    parse: (found) => {
      if (found.length > 1) throw malformedXml(`the element ${name} must not be repeated`);
      return found[0] === undefined ? undefined : schema.parse(found[0].content, name);
    },
  };
}

export function required<T>(name: string, schema: Schema<T>): Field<T> {
  const field = optional(name, schema);
  return {
    ...field,
    parse: (found) => {
      const value = field.parse(found);
      if (value === undefined) throw malformedXml(`the element ${name} is missing`);
      return value;
    },
  };
}

/** Returns the field for a list of repeated elements. */
export function many<T>(name: string, schema: Schema<T>): Field<readonly T[]> {
  const write = elementWriter(name, schema);
  return {
    names: [name],
    write: (values = []) => joined(values, write),
    parse: (found) => found.map((each) => schema.parse(each.content, name)),
  };
}

/**
 * Returns a function that writes elements with this name. It creates the tags once and is therefore faster than
 * `writeElement`.
 */
function elementWriter<T>(name: string, { write }: Schema<T>): (value: T) => string {
  const [start, end, empty] = [`<${name}>`, `</${name}>`, `<${name}/>`];
  return (value) => {
    const inside = write(value);
    return inside === '' ? empty : start + inside + end;
  };
}

function joined<T>(values: readonly T[], write: (value: T) => string): string {
  let all = '';
  for (const value of values) all += write(value);
  return all;
}

/**
 * Returns the field for a list of elements inside one wrapper element, such as `Buckets` > `Bucket`. The wrapper is
 * always written, even if the list is absent. A missing wrapper is read as an empty list.
 */
export function wrapped<T>(name: string, items: Field<readonly T[]>): Field<readonly T[]> {
  const inside = optional(name, record<{ items: readonly T[] }>({ items }));
  return {
    names: [name],
    write: (values = []) => inside.write({ items: values }),
    parse: (found) => inside.parse(found)?.items ?? [],
  };
}

/**
 * Returns the field for a list of elements with several names, such as versions and delete markers. The order of the
 * elements is preserved.
 */
export function variants<K extends string, T extends { readonly kind: K }>(
  cases: Readonly<Record<K, readonly [name: string, schema: Schema<Omit<T, 'kind'>>]>>,
): Field<readonly T[]> {
  const byName = new Map(
    (Object.keys(cases) as K[]).map((kind) => [cases[kind][0], [kind, cases[kind][1]] as const]),
  );
  return {
    names: [...byName.keys()],
    write: (values = []) =>
      joined(values, (value) => {
        const [name, schema] = cases[value.kind];
        return writeElement(name, schema.write(value));
      }),
    parse: (found) =>
      found.flatMap(({ name, content }) => {
        const [kind, schema] = byName.get(name) ?? [];
        return schema === undefined ? [] : [{ kind, ...schema.parse(content) } as unknown as T];
      }),
  };
}
