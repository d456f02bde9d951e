/**
 * Removes undefined properties from objects, because the compiler option `exactOptionalPropertyTypes` does not allow
 * them.
 */

export type Defined<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>;
};

/** Returns the object without undefined properties: `defined({a: 1, b: undefined})` is `{a: 1}`. */
export function defined<T extends object>(members: T): Defined<T> {
  const given = members as Readonly<Record<string, unknown>>;
  const some: Record<string, unknown> = {};
  for (const name of Object.keys(given)) {
    if (given[name] !== undefined) some[name] = given[name];
  }
  return some as Defined<T>;
}
