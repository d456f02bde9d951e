/**
 * Describes requests and responses declaratively. A `Part` maps a field of a request or response to its headers or
 * query parameters. The same part both encodes and decodes, so that the client and the gateway cannot disagree.
 */

import { StorageError } from '../object-store/storage-error.ts';
import type { Codec } from './codecs.ts';
import type { Dialect } from './dialect.ts';
import type { Headers } from './headers.ts';
import type { WireQuery } from './wire.ts';

export type Draft<T> = { -readonly [K in keyof T]?: T[K] | undefined };

export interface Part<in T> {
  encode(message: T, writer: MessageWriter): void;
  decode(reader: MessageReader, into: Draft<T>): void;
}

/** Reads headers and query parameters. Callers pass the names of vendor headers without the vendor prefix. */
export class MessageReader {
  readonly #query: WireQuery;
  readonly #headers: Headers;
  readonly #vendor = new Map<string, string>();
  readonly #read = new Set<string>();

  constructor(wire: { readonly query: WireQuery; readonly headers: Headers }, dialect: Dialect) {
    const { query, headers } = wire;
    this.#query = query;
    this.#headers = headers;
    const prefix = dialect.headerPrefix;
    for (const [name] of headers.list) {
      if (name.startsWith(prefix))
        this.#vendor.set(name.slice(prefix.length), headers.get(name) ?? '');
    }
  }

  /**
   * Returns the value of a query parameter, or undefined if it is absent. Throws InvalidArgument if the parameter
   * occurs twice, because its value would be ambiguous.
   */
  query(name: string): string | undefined {
    let found: string | undefined;
    for (const [each, value] of this.#query) {
      if (each !== name) continue;
      if (found !== undefined)
        throw invalidArgument(name, value, 'the parameter must not be present twice');
      found = value;
    }
    return found;
  }

  header(name: string): string | undefined {
    return this.#headers.get(name);
  }

  vendor(suffix: string): string | undefined {
    this.#read.add(suffix);
    return this.#vendor.get(suffix);
  }

  /**
   * Returns all vendor headers whose name starts with the vendor prefix and `start`. The returned names omit both
   * prefixes.
   */
  vendorStartingWith(start: string): readonly (readonly [name: string, value: string])[] {
    const found: (readonly [string, string])[] = [];
    for (const [suffix, value] of this.#vendor) {
      if (!suffix.startsWith(start)) continue;
      this.#read.add(suffix);
      found.push([suffix.slice(start.length), value]);
    }
    return found;
  }

  /** Yields the vendor headers that no part has read. */
  *unread(): Generator<readonly [suffix: string, value: string]> {
    for (const header of this.#vendor) if (!this.#read.has(header[0])) yield header;
  }
}

export class MessageWriter {
  readonly query: (readonly [string, string])[] = [];
  readonly headers: (readonly [string, string])[] = [];
  readonly #prefix: string;

  constructor(dialect: Dialect) {
    this.#prefix = dialect.headerPrefix;
  }

  vendor(suffix: string, value: string): void {
    this.headers.push([this.#prefix + suffix, value]);
  }
}

export interface PartOptions {
  /** Whether an invalid value is treated as absent. By default, an invalid value is rejected. */
  readonly lenient?: boolean;
  /** Whether an empty value is rejected. By default, an empty value is treated as absent. */
  readonly nonEmpty?: boolean;
}

export type Member<K extends string, V> = { readonly [P in K]?: V | undefined };

/**
 * Returns a part that maps a field to a query parameter. For example, `query('prefix', 'prefix', text)` maps the field
 * `prefix` to the parameter of the same name.
 */
export function query<const K extends string, V>(
  member: K,
  name: string,
  codec: Codec<V>,
  options: PartOptions = {},
): Part<Member<K, V>> {
  return single(member, codec, {
    read: (reader) => reader.query(name),
    write: (writer, value) => writer.query.push([name, value]),
    name: () => name,
    ...options,
  });
}

export function header<const K extends string, V>(
  member: K,
  name: string,
  codec: Codec<V>,
  options: PartOptions = {},
): Part<Member<K, V>> {
  return single(member, codec, {
    read: (reader) => reader.header(name),
    write: (writer, value) => writer.headers.push([name, value]),
    name: () => name,
    ...options,
  });
}

/** Returns a part that maps a field to a vendor header. The header name is the vendor prefix followed by `suffix`. */
export function vendor<const K extends string, V>(
  member: K,
  suffix: string,
  codec: Codec<V>,
  options: PartOptions = {},
): Part<Member<K, V>> {
  return single(member, codec, {
    read: (reader) => reader.vendor(suffix),
    write: (writer, value) => writer.vendor(suffix, value),
    name: () => suffix,
    ...options,
  });
}

/**
 * Returns a part for a field that consists of several parts. If all parts are absent when decoding, the field is
 * absent.
 */
export function group<const K extends string, G extends object>(
  member: K,
  parts: readonly Part<G>[],
): Part<Member<K, G>> {
  return {
    encode: (message, writer) => {
      const nested = message[member];
      if (nested !== undefined) encodeParts(parts, nested, writer);
    },
    decode: (reader, into) => {
      const nested = decodeParts(parts, reader);
      if (Object.keys(nested).length > 0) assign(into, member, nested as G);
    },
  };
}

export function encodeParts<T>(parts: readonly Part<T>[], message: T, writer: MessageWriter): void {
  for (const part of parts) part.encode(message, writer);
}

export function decodeParts<T>(parts: readonly Part<T>[], reader: MessageReader): Draft<T> {
  const draft: Draft<T> = {};
  for (const part of parts) part.decode(reader, draft);
  return draft;
}

export function assign<K extends string, V>(into: Draft<Member<K, V>>, member: K, value: V): void {
  (into as Record<K, V>)[member] = value;
}

export function invalidArgument(name: string, value: string, reason: string): StorageError {
  return new StorageError('InvalidArgument', `read ${name}: ${reason}`, {
    details: { ArgumentName: name, ArgumentValue: value },
  });
}

interface Place extends PartOptions {
  read(reader: MessageReader): string | undefined;
  write(writer: MessageWriter, value: string): void;
  name(): string;
}

function single<const K extends string, V>(
  member: K,
  codec: Codec<V>,
  place: Place,
): Part<Member<K, V>> {
  return {
    encode: (message, writer) => {
      const value = message[member];
      if (value !== undefined) place.write(writer, codec.encode(value));
    },
    decode: (reader, into) => {
      const written = place.read(reader);
      if (written === undefined || (written === '' && !place.nonEmpty)) return;
      const value = written === '' ? undefined : codec.decode(written);
      if (value !== undefined) assign(into, member, value);
      else if (!place.lenient)
        throw invalidArgument(place.name(), written, 'the value is not valid');
    },
  };
}
