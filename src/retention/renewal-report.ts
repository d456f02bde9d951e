/** Reports the results of lock renewal to the tracker, because no transfer or round reports them. */

import type { Tracker } from '../mirror/model/tracker.ts';

export class RenewalReport {
  readonly #tracker: Pick<Tracker, 'changed' | 'say'>;
  /** The lock status after the last pass, as JSON. */
  #status = '';
  /** The number of locks that were set or extended since the last activity. */
  #set = 0;

  constructor(tracker: Pick<Tracker, 'changed' | 'say'>) {
    this.#tracker = tracker;
  }

  /** Reports a lock status or a warning that has changed. */
  status(current: unknown): void {
    const status = JSON.stringify(current);
    if (status !== this.#status) this.#tracker.changed();
    this.#status = status;
  }

  /** Reports one activity for all locks that were set or extended until no lock was due. */
  renewed(set: number, hasMore: boolean): void {
    this.#set += set;
    if (hasMore || this.#set === 0) return;
    const message = `locks of ${this.#set} version${this.#set === 1 ? '' : 's'} set or extended`;
    this.#set = 0;
    this.#tracker.say({ level: 'info', action: 'lock', message });
  }
}
