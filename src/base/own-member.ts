/** Looks up names from untrusted input in objects, without finding properties of the prototype. */

/** The only property name that an assignment does not store. `z.record` omits it without an error. */
export const PROTOTYPE_NAME = '__proto__';

/**
 * Returns the table's own property with this name. Returns undefined for properties of the prototype, such as
 * `constructor`.
 */
export function ownMember<T>(table: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}

/** Returns whether the value is an object with an own property `__proto__`, which JSON can contain. */
export function hasPrototypeName(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, PROTOTYPE_NAME);
}
