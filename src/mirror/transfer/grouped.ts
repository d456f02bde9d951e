/** Handles items in groups that share a transaction. */

import { setImmediate } from 'node:timers/promises';

import type { Clock } from '../../base/clock.ts';

/** Maximum time that an item waits for other items, in milliseconds. */
const MAX_WAIT_MS = 5;

export interface GroupOptions<T> {
  readonly clock: Pick<Clock, 'after'>;
  /**
   * Returns how many items a group waits for. The group waits at most a few milliseconds, and not at all if the result
   * is 1 or less.
   */
  readonly wanted: () => number;
  readonly handle: (items: readonly T[]) => Promise<void> | void;
}

/**
 * Returns a function that adds an item to the next group, and resolves when the group has been handled. Rejects if
 * handling the group fails. A group contains all items from one turn of the event loop, and more if it waits.
 */
export function grouped<T>({ clock, wanted, handle }: GroupOptions<T>): (item: T) => Promise<void> {
  let items: T[] = [];
  let handled: Promise<void> | undefined;
  let onFull: (() => void) | undefined;
  const full = () =>
    new Promise<void>((resolve) => {
      const cancel = clock.after(MAX_WAIT_MS, resolve);
      onFull = () => {
        cancel();
        resolve();
      };
    });
  const handleNext = async () => {
    await setImmediate();
    if (items.length < wanted()) await full();
    const group = items;
    items = [];
    handled = undefined;
    onFull = undefined;
    await handle(group);
  };
  return (item) => {
    items.push(item);
    if (onFull && items.length >= wanted()) onFull();
    return (handled ??= handleNext());
  };
}
