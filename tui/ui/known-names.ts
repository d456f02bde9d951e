/**
 * Caches the names that the command palette offers. The names are read ahead of use and are cached for a short time.
 */

import { isAbort } from '../../src/base/errors.ts';
import type { Ui } from './ui.ts';

const KEPT_MS = 15_000;

interface Names {
  readonly at: number;
  names: readonly string[];
}

const caches = new WeakMap<Ui, Map<string, Names>>();

/** Returns the cached names for this id, or none if they were never read. Sends no request. */
export function knownNames(ui: Ui, id: string): readonly string[] {
  return caches.get(ui)?.get(id)?.names ?? [];
}

/** Reads the names unless they were read a short time ago, and then redraws the palette's offers. */
export function readNames(ui: Ui, id: string, ask: () => Promise<readonly string[]>): void {
  const cache = caches.get(ui) ?? new Map<string, Names>();
  caches.set(ui, cache);
  const kept = cache.get(id);
  const now = ui.clock.monotonic();
  if (kept && now - kept.at < KEPT_MS) return;
  const fresh: Names = { at: now, names: kept?.names ?? [] };
  cache.set(id, fresh);
  void fill(ui, fresh, ask);
}

/** If the names cannot be read, the palette offers none. The command reports the error when it runs. */
async function fill(ui: Ui, names: Names, ask: () => Promise<readonly string[]>): Promise<void> {
  try {
    names.names = await ask();
  } catch (error) {
    if (!isAbort(error)) names.names = [];
  }
  ui.changes.soon();
}
