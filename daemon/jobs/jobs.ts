/** Starts, restarts and stops jobs so that they match the configuration. */

import { isDeepStrictEqual } from 'node:util';

import type { Config, JobConfig, TargetConfig } from '../../src/config/config.ts';
import { isTargetOf, partsOfName } from '../../src/config/job-name.ts';
import { ControlError } from '../../src/control/control-error.ts';
import type { JobStatus } from '../../src/control/shapes.ts';
import { Job } from './job.ts';
import type { JobOptions } from './job.ts';
import type { Throughput } from '../meter/throughput.ts';

export interface JobsOptions extends Pick<
  JobOptions,
  'rooms' | 'clock' | 'logger' | 'onChange' | 'provenDays'
> {
  readonly throughput: Throughput;
  readonly onActivity: (job: string, ...line: Parameters<JobOptions['onActivity']>) => void;
  readonly onRemoved: (name: string) => void;
}

/** What happened to a job when a configuration was applied. */
export interface JobChange {
  readonly name: string;
  readonly did: 'paused' | 'restarted' | 'resumed' | 'started' | 'stopped';
}

export class Jobs {
  readonly #options: JobsOptions;
  /** The jobs in the order of the configuration. */
  #jobs = new Map<string, Job>();
  readonly #notes = new WeakMap<Job, readonly string[]>();

  constructor(options: JobsOptions) {
    this.#options = options;
  }

  /** Makes the running jobs match `config`. Jobs whose configuration has not changed keep running. */
  async apply(config: Config): Promise<readonly JobChange[]> {
    const wanted = new Map(config.jobs.map((job) => [job.name, job]));
    const gone = [...this.#jobs.values()].filter((job) => !wanted.has(job.config.name));
    await Promise.all(
      gone.map((job) => (isRenamed(job, config) ? this.#stop(job) : this.#retire(job))),
    );
    for (const { config: of } of gone) {
      this.#options.throughput.forget(of.name);
      this.#options.onRemoved(of.name);
    }
    const changes: JobChange[] = gone.map(({ config: { name } }) => ({ name, did: 'stopped' }));
    for (const job of wanted.values()) {
      const did = await this.#applyOne(job, config);
      if (did) changes.push({ name: job.name, did });
    }
    const inOrder = config.jobs.map(({ name }) => [name, this.get(name)] as const);
    this.#jobs = new Map(inOrder);
    return changes;
  }

  get(name: string): Job {
    const job = this.#jobs.get(name);
    if (job) return job;
    const names = [...this.#jobs.keys()].join(', ') || 'none';
    const hint = `existing jobs: ${names}; to list them with their folders: holdfast job list`;
    throw new ControlError('NotFound', `unknown job "${name}"`, { hint });
  }

  /** Returns notes for the user about data of removed jobs that may remain at the service. */
  notesOn(removed: readonly Job[]): readonly string[] {
    return removed.flatMap((job) => this.#notes.get(job) ?? []);
  }

  /** Returns the job and the jobs of its additional targets. Throws ControlError `NotFound`. */
  withTargets(name: string): readonly Job[] {
    return [this.get(name), ...this.all().filter(({ config }) => isTargetOf(name, config.name))];
  }

  find(test: (job: JobConfig) => boolean): Job | undefined {
    return [...this.#jobs.values()].find((job) => test(job.config));
  }

  all(): readonly Job[] {
    return [...this.#jobs.values()];
  }

  status(): JobStatus[] {
    return [...this.#jobs.values()].map((job) => job.status());
  }

  /** Notifies all jobs that the store's clock was corrected. */
  clockChanged(): void {
    for (const { opened } of this.#jobs.values()) opened?.clockChanged();
  }

  async close(): Promise<void> {
    await Promise.all([...this.#jobs.values()].map((job) => job.close()));
    this.#jobs.clear();
  }

  /** Makes one job match the configuration. Returns what was done, or undefined if nothing was necessary. */
  async #applyOne(wanted: JobConfig, config: Config): Promise<JobChange['did'] | undefined> {
    const running = this.#jobs.get(wanted.name);
    const target = config.targets.find((each) => each.name === wanted.target);
    const { paused, ...rest } = wanted;
    if (running) {
      const { paused: _, ...known } = running.config;
      const isSame = isDeepStrictEqual(known, rest) && running.reaches(target);
      if (isSame && !(await running.hasOtherKeys())) {
        running.tryAgain();
        if (paused === running.isPaused) return undefined;
        if (paused) running.pause();
        else running.resume();
        const did = paused ? 'paused' : 'resumed';
        const action = paused ? 'pause' : 'resume';
        this.#options.onActivity(wanted.name, {
          level: 'info',
          action,
          message: `the job is ${did}`,
        });
        return did;
      }
      if (running.keepsState(wanted, target)) await this.#stop(running);
      else await this.#retire(running);
    }
    this.#start(wanted, target);
    return running ? 'restarted' : 'started';
  }

  #start(config: JobConfig, target: TargetConfig | undefined): void {
    const { onActivity, throughput, ...options } = this.#options;
    const job = new Job({
      ...options,
      config,
      meter: throughput.meterOf(config.name),
      ...(target && { target }),
      onActivity: (...line) => onActivity(config.name, ...line),
    });
    this.#jobs.set(config.name, job);
  }

  /** Stops a job that was removed or gets another destination, and stores its notes. */
  async #retire(job: Job): Promise<void> {
    this.#jobs.delete(job.config.name);
    this.#notes.set(job, await job.retire());
  }

  async #stop(job: Job): Promise<void> {
    this.#jobs.delete(job.config.name);
    await job.close();
  }
}

/** Returns whether the job continues under another name because its target was renamed. */
function isRenamed(job: Job, { jobs, targets }: Config): boolean {
  const own = partsOfName(job.config.name)?.job;
  if (own === undefined) return false;
  return jobs.some((other) => {
    const target = targets.find(({ name }) => name === other.target);
    return isTargetOf(own, other.name) && job.keepsState(other, target);
  });
}
