/** Counts the SQL statements that this thread executes. */

import Database from 'better-sqlite3';
import { onTestFinished } from 'vitest';

type Run = (this: Database.Statement, ...values: unknown[]) => unknown;

/**
 * Counts the statements of all databases with this file name that are opened from now on. Counting
 * ends when the test ends or calls `onEnd`.
 */
export function countStatements(
  fileName: string,
  onEnd: (stop: () => void) => void = onTestFinished,
): { readonly counts: Map<string, number> } {
  const counts = new Map<string, number>();
  const memory = new Database(':memory:');
  const prototype = Object.getPrototypeOf(memory.prepare('SELECT 1')) as Record<string, Run>;
  memory.close();
  for (const name of ['run', 'get', 'all', 'iterate']) {
    const original = prototype[name];
    if (!original) throw new Error(`better-sqlite3 has no method ${name}`);
    prototype[name] = function counted(...values) {
      const { database, source } = this;
      if (database.name.endsWith(`/${fileName}`)) counts.set(source, (counts.get(source) ?? 0) + 1);
      return original.apply(this, values);
    };
    onEnd(() => {
      prototype[name] = original;
    });
  }
  return { counts };
}
