/**
 * Detects overflows of the kernel's file event queue, which all watches in this process share. The kernel drops events
 * that do not fit, but Node does not report the loss. A queue is full before it overflows, so this class counts the
 * events of all watches between two turns of the event loop. A process must therefore use a single instance.
 */

import { readFileSync } from 'node:fs';

/**
 * Share of the queue's limit above which the queue counts as full. The remainder allows for events that Node does not
 * report, such as the end of a watch.
 */
const REPORTED_SHARE = 3 / 4;

/** The kernel's default for the maximum number of queued events, used if the limit cannot be read. */
const DEFAULT_QUEUED_EVENTS = 16_384;

export class OverflowDetector {
  readonly #readSize: () => number;
  #limit: number | undefined;
  readonly #whenFull = new Set<() => void>();
  #thisTurn = 0;

  /** `readSize` returns the maximum number of queued events. It is called when the first watch is added. */
  constructor(readSize = maxQueuedEvents) {
    this.#readSize = readSize;
  }

  /** Calls `full` when any watch may have lost events. Returns a function that removes the callback. */
  onFull(full: () => void): () => void {
    this.#limit ??= Math.floor(this.#readSize() * REPORTED_SHARE);
    this.#whenFull.add(full);
    return () => void this.#whenFull.delete(full);
  }

  /** Counts an event from any watch. */
  note(): void {
    this.#thisTurn += 1;
    if (this.#thisTurn === 1) setImmediate(() => (this.#thisTurn = 0));
    if (this.#thisTurn === this.#limit) for (const full of this.#whenFull) full();
  }
}

function maxQueuedEvents(): number {
  try {
    return Number(readFileSync('/proc/sys/fs/inotify/max_queued_events', 'utf8'));
  } catch {
    return DEFAULT_QUEUED_EVENTS;
  }
}
