/**
 * Detects overflows of the kernel's queue of file events, which all watches of this process share. The kernel drops
 * events that do not fit, and Node does not report it. An overflowing queue was full before, so the events of all
 * watches are counted per turn of the event loop. A process therefore has one instance.
 */

import { readFileSync } from 'node:fs';

/**
 * Share of the queue's limit that counts as full. The rest may be events that Node does not report, such as the ends of
 * watches.
 */
const REPORTED_SHARE = 3 / 4;

/** The kernel's default limit, used if the limit cannot be read. */
const DEFAULT_QUEUED_EVENTS = 16_384;

export class EventQueue {
  readonly #readSize: () => number;
  #limit: number | undefined;
  readonly #whenFull = new Set<() => void>();
  #thisTurn = 0;

  /** `readSize` returns the maximum number of events in the queue. It is called for the first watch. */
  constructor(readSize = maxQueuedEvents) {
    this.#readSize = readSize;
  }

  /** Calls `full` when events of any watch may have been lost. Returns a function that removes the callback. */
  onFull(full: () => void): () => void {
    this.#limit ??= Math.floor(this.#readSize() * REPORTED_SHARE);
    this.#whenFull.add(full);
    return () => void this.#whenFull.delete(full);
  }

  /** Counts an event. */
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
