/**
 * Lists the member names of JSON values at any depth, such as `alarm.actions.ALARM[].type`. If
 * member names are paths, one `*` represents them.
 */

const NAME = /^[\w-]+$/;

export function memberNames(value: unknown): string[] {
  return [...new Set(pathsIn(value))].toSorted();
}

function pathsIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap((each) => below('[]', each));
  if (typeof value !== 'object' || value === null) return [''];
  const members = Object.entries(value);
  // If one member name of an object is a path, all its member names are paths. The listing then
  // omits all of them, because a short path can look like a fixed name.
  const isMap = members.some(([name]) => !NAME.test(name));
  return members.flatMap(([name, member]) => below(isMap ? '*' : name, member));
}

function below(name: string, member: unknown): string[] {
  return pathsIn(member).map((path) => `${name}${/^[^[]/.test(path) ? '.' : ''}${path}`);
}

/** Returns the entries of a map, sorted by name. */
export function byName<T>(entries: Iterable<readonly [string, T]>): (readonly [string, T])[] {
  return [...entries].toSorted(([a], [b]) => (a < b ? -1 : 1));
}

/** Returns the distinct names, sorted and indented. */
export function indented(names: Iterable<string>): string[] {
  return [...new Set(names)].toSorted().map((name) => `  ${name}`);
}
