/**
 * The daemon's active alerts. The daemon sends no event for alerts, so the store reads them again after a job changes.
 * While all jobs are idle, it sends a request only for the first screen, once a minute.
 */

import { errorMessage } from '../../src/base/errors.ts';
import type { Clock } from '../../src/base/clock.ts';
import type { Result } from '../../src/control/messages.ts';
import type { Changes } from './changes.ts';
import type { DaemonLink } from './daemon-link.ts';
import type { StatusStore } from './status-store.ts';

export type Alert = Result<'alerts.list'>['alerts'][number];

/** The minimum interval between reads. The daemon evaluates its alerts only about once a minute. */
const AGAIN_MS = 10_000;
/** The age at which `refreshIfOld` reads the alerts again. */
const OLD_MS = 30_000;

export interface AlertsStoreOptions {
  readonly link: DaemonLink;
  readonly clock: Clock;
  readonly status: StatusStore;
  readonly changes: Changes;
}

export class AlertsStore {
  readonly #options: AlertsStoreOptions;
  readonly #listeners = new Set<() => void>();
  #alerts: readonly Alert[] | undefined;
  #reading: Promise<void> | undefined;
  #problem: string | undefined;
  #cancel: (() => void) | undefined;
  #readAt = Number.NEGATIVE_INFINITY;

  constructor(options: AlertsStoreOptions) {
    this.#options = options;
    options.link.onState(({ kind }) => {
      if (kind === 'up') void this.refresh();
    });
    options.status.onChange(() => this.#refreshSoon());
  }

  /** The alerts from the last successful read. Undefined before the first successful read. */
  get current(): readonly Alert[] | undefined {
    return this.#alerts;
  }

  get problem(): string | undefined {
    return this.#problem;
  }

  /** Calls the listener after each change. Call the returned function to stop. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  refresh(): Promise<void> {
    this.#reading ??= this.#read().finally(() => {
      this.#reading = undefined;
    });
    return this.#reading;
  }

  /** Reads the alerts again if they may have changed without an event of a job, such as an alert about the disk. */
  refreshIfOld(): void {
    if (this.#options.clock.monotonic() - this.#readAt >= OLD_MS) void this.refresh();
  }

  async #read(): Promise<void> {
    const { link, changes, clock } = this.#options;
    this.#readAt = clock.monotonic();
    const before = JSON.stringify([this.#alerts, this.#problem]);
    try {
      this.#alerts = (await link.call('alerts.list', {})).alerts;
      this.#problem = undefined;
    } catch (error) {
      this.#problem = errorMessage(error);
    }
    if (JSON.stringify([this.#alerts, this.#problem]) === before) return;
    for (const listener of this.#listeners) listener();
    changes.soon();
  }

  #refreshSoon(): void {
    const { clock, link } = this.#options;
    if (this.#cancel) return;
    this.#cancel = clock.after(AGAIN_MS, () => {
      this.#cancel = undefined;
      if (link.isUp) void this.refresh();
    });
  }
}
