/**
 * Lists the members of a schema, one per line: the path, `?` if the member is optional, the type
 * and the default value.
 */

import { z } from 'zod';

/** Subset of JSON Schema that zod generates from Holdfast's schemas. */
interface Schema {
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly default?: unknown;
  readonly enum?: readonly unknown[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: Schema | boolean;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
}

/**
 * Minimum number of members of an object that is listed only once. A smaller object is listed
 * wherever it occurs.
 */
const SHARED_MEMBERS = 4;

export class SchemaLines {
  /**
   * Path at which each shared object was first listed. The key is the JSON Schema of the object.
   */
  readonly #writtenAt = new Map<string, string>();

  /**
   * Lists a member of `owner`. If a later member has a shared object that is already listed, its line refers to the
   * first path.
   */
  of(owner: string, member: string, type: z.ZodType): string[] {
    const schema = z.toJSONSchema(type, { io: 'input', unrepresentable: 'any' }) as Schema;
    return this.#lines(owner, member, schema);
  }

  #lines(owner: string, path: string, schema: Schema): string[] {
    const { items, properties, additionalProperties } = schema;
    const variants = schema.anyOf ?? schema.oneOf;
    if (variants && !variants.every(isScalar))
      return variants.flatMap((each) => this.#lines(owner, `${path}${choiceOf(each)}`, each));
    if (items && !isScalar(items)) return this.#lines(owner, `${path}[]`, items);
    if (properties && Object.keys(properties).length > 0) return this.#members(owner, path, schema);
    if (typeof additionalProperties === 'object' && !isScalar(additionalProperties))
      return this.#lines(owner, `${path}.*`, additionalProperties);
    return [`${path}: ${typeOf(schema)}${defaultOf(schema)}`];
  }

  #members(owner: string, path: string, { properties = {}, required = [] }: Schema): string[] {
    const key = JSON.stringify([properties, required]);
    const writtenAt = this.#writtenAt.get(key);
    if (writtenAt !== undefined) return [`${path}: as ${writtenAt}`];
    if (Object.keys(properties).length >= SHARED_MEMBERS)
      this.#writtenAt.set(key, `${owner} ${path.trim()}`);
    return Object.entries(properties).flatMap(([name, member]) =>
      this.#lines(owner, `${path}.${name}${required.includes(name) ? '' : '?'}`, member),
    );
  }
}

function isScalar(schema: Schema): boolean {
  const { items, properties, additionalProperties, anyOf, oneOf } = schema;
  if (properties && Object.keys(properties).length > 0) return false;
  const nested = [items ?? [], anyOf ?? [], oneOf ?? [], additionalProperties ?? []].flat();
  return nested.every((each) => typeof each === 'boolean' || isScalar(each));
}

/** Returns the constant values that identify a variant of a union. */
function choiceOf({ properties = {} }: Schema): string {
  const constants = Object.entries(properties).filter(([, member]) => member.const !== undefined);
  const chosen = constants.map(([name, member]) => `${name}=${String(member.const)}`);
  return chosen.length === 0 ? '' : `(${chosen.join(' ')})`;
}

function typeOf(schema: Schema): string {
  const { type, items, additionalProperties } = schema;
  const variants = schema.anyOf ?? schema.oneOf;
  if (variants) return variants.map(typeOf).join(' | ');
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((each) => JSON.stringify(each)).join(' | ');
  if (items) return `(${typeOf(items)})[]`;
  if (typeof additionalProperties === 'object') return `{*: ${typeOf(additionalProperties)}}`;
  return [type ?? 'any'].flat().join(' | ');
}

function defaultOf(schema: Schema): string {
  return schema.default === undefined ? '' : ` = ${JSON.stringify(schema.default)}`;
}
