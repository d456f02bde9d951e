/**
 * The kernel's queue of events: one for all folders that this process watches. What it cannot hold it drops, and nobody
 * passes that on; but then it was full. So what comes in one turn of the event loop is counted, whoever it is for.
 */

import { readFileSync } from 'node:fs';

/** Of a full queue: the rest of its places may be taken by what is told to nobody, such as the ends of watches. */
const REPORTED_SHARE = 3 / 4;

/** The kernel's default, where it cannot be asked. */
const DEFAULT_QUEUED_EVENTS = 16_384;

export class EventQueue {
  readonly #most: number;
  readonly #whenFull = new Set<() => void>();
  #thisTurn = 0;

  constructor(limit: number) {
    this.#most = Math.floor(limit * REPORTED_SHARE);
  }

  /** Called when events may have been lost, anybody's. Returns what ends that. */
  onFull(full: () => void): () => void {
    this.#whenFull.add(full);
    return () => void this.#whenFull.delete(full);
  }

  /** An event has come. */
  note(): void {
    this.#thisTurn += 1;
    if (this.#thisTurn === 1) setImmediate(() => (this.#thisTurn = 0));
    if (this.#thisTurn === this.#most) for (const full of this.#whenFull) full();
  }
}

export const kernelQueue = new EventQueue(maxQueuedEvents());

function maxQueuedEvents(): number {
  try {
    return Number(readFileSync('/proc/sys/fs/inotify/max_queued_events', 'utf8'));
  } catch {
    return DEFAULT_QUEUED_EVENTS;
  }
}
