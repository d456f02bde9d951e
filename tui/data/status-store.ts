/**
 * Stores the status of the daemon and its jobs, which the header of every screen shows. The status is read once and
 * then updated from events.
 */

import type { DaemonEvent } from '../../src/control/messages.ts';
import { errorMessage } from '../../src/base/errors.ts';
import type { JobStatus, Status } from '../../src/control/shapes.ts';
import type { Changes } from './changes.ts';
import type { DaemonLink, LinkState } from './daemon-link.ts';
import type { BucketPlace } from './place.ts';

export class StatusStore {
  readonly #link: DaemonLink;
  readonly #changes: Changes;
  readonly #listeners = new Set<() => void>();
  #status: Status | undefined;
  #problem: string | undefined;
  /**
   * For each pending status request, the events that arrived since it was sent. The response may contain the state of a
   * job from before these events.
   */
  readonly #meanwhile = new Set<DaemonEvent['event'][]>();

  constructor(link: DaemonLink, changes: Changes) {
    this.#link = link;
    this.#changes = changes;
    link.onState((state) => this.#linkChanged(state));
    link.listen(
      ['job.changed', 'job.removed', 'alarm.changed', 'alarm.removed', 'stopping'],
      (event) => this.#heard(event),
    );
  }

  /** The last known status. It remains available while the daemon is down. */
  get current(): Status | undefined {
    return this.#status;
  }

  get problem(): string | undefined {
    return this.#problem;
  }

  get jobs(): readonly JobStatus[] {
    return this.#status?.jobs ?? [];
  }

  job(name: string): JobStatus | undefined {
    return this.jobs.find((job) => job.name === name);
  }

  /** Returns the names of the jobs that mirror into the bucket. */
  jobsOf({ target, bucket }: BucketPlace): string[] {
    return this.jobs
      .filter((job) => job.target === target && job.bucket === bucket)
      .map(({ name }) => name);
  }

  /** Calls the listener after each change. Call the returned function to stop. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  async refresh(): Promise<void> {
    const meanwhile: DaemonEvent['event'][] = [];
    this.#meanwhile.add(meanwhile);
    try {
      const status = await this.#link.call('status', {});
      this.#status = meanwhile.reduce(changedBy, status);
      this.#problem = undefined;
    } catch (error) {
      this.#problem = errorMessage(error);
    }
    this.#meanwhile.delete(meanwhile);
    this.#changed();
    this.#changes.now();
  }

  #linkChanged(state: LinkState): void {
    if (state.kind === 'up') void this.refresh();
    this.#changes.now();
  }

  #heard({ event }: DaemonEvent): void {
    for (const meanwhile of this.#meanwhile) meanwhile.push(event);
    if (!this.#status) return;
    this.#status = changedBy(this.#status, event);
    this.#changed();
    this.#changes.soon();
  }

  #changed(): void {
    for (const listener of this.#listeners) listener();
  }
}

function changedBy(status: Status, event: DaemonEvent['event']): Status {
  if (event.type === 'job.changed') {
    return { ...status, jobs: replaced(status.jobs, event.job) };
  }
  if (event.type === 'job.removed') {
    return { ...status, jobs: status.jobs.filter(({ name }) => name !== event.name) };
  }
  if (event.type === 'alarm.changed') {
    const others = status.alarms.filter(({ name }) => name !== event.alarm.name);
    const isRaised = event.alarm.state === 'ALARM';
    return { ...status, alarms: isRaised ? [...others, event.alarm] : others };
  }
  if (event.type === 'alarm.removed') {
    return { ...status, alarms: status.alarms.filter(({ name }) => name !== event.name) };
  }
  return status;
}

/** Replaces a job in the list. A new job is added at the end, because the next `status` response will list it there. */
function replaced(jobs: readonly JobStatus[], job: JobStatus): JobStatus[] {
  const known = jobs.some(({ name }) => name === job.name);
  return known ? jobs.map((each) => (each.name === job.name ? job : each)) : [...jobs, job];
}
