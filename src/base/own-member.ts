/** Names that come from outside as names of members: an object also has those of its prototype. */

/** The one name that an assignment does not store, and that `z.record` drops without an error. */
export const PROTOTYPE_NAME = '__proto__';

/** The table's own member of this name; undefined for `constructor` and the like. */
export function ownMember<T>(table: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}

/** Whether it is an object with a member `__proto__` of its own, as JSON can have one. */
export function hasPrototypeName(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, PROTOTYPE_NAME);
}
