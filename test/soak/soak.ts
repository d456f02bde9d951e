/**
 * Runs a job with other writers and random failures, and checks the result (mirror.md, section 8). The processes are
 * real, so the same seed makes the same changes, but not at the same times.
 */

import { systemClock } from '../../src/base/clock.ts';
import { isControlError } from '../../src/control/control-error.ts';
import type { JobStatus } from '../../src/control/shapes.ts';
import type { Audited } from './auditor.ts';
import { pause, wreakHavoc } from './chaos.ts';
import { Dice } from './dice.ts';
import { FolderLife, keysOf } from './folder-life.ts';
import { ForeignLife } from './foreign-life.ts';
import type { History } from './history.ts';
import { judgeHeads } from './judge.ts';
import { JOB, Machines, type SoakedBucket, type Variant } from './machines.ts';
import type { SmallDisk } from './small-disk.ts';
import type { Quiet } from './times.ts';
import { type Counts, judgeAll } from './verdict.ts';
import { readVersions } from './versions.ts';
import { Witness } from './witness.ts';

export interface SoakOptions {
  /** The path of an empty folder for the soak run. */
  readonly folder: string;
  readonly seed: number;
  /** The length of the run: a time, or a number of changes in the folder. */
  readonly life: { readonly ms: number } | { readonly deeds: number };
  /** The maximum number of files that change at once in a burst. The default is 0, which means no bursts. */
  readonly burst?: number;
  readonly variant: Variant;
  readonly history: History;
  /** The average time between two changes in the folder, in milliseconds. */
  readonly deedEveryMs: number;
  readonly troubleEveryMs: number;
  /** The number of random times whose state is restored at the end. */
  readonly times: number;
  readonly disk?: SmallDisk;
  /** Compares the folder with the bucket at the end, while the daemons run. Returns the differences. */
  readonly audit?: (what: Audited) => Promise<readonly string[]>;
}

export interface SoakReport extends Counts {
  readonly findings: readonly string[];
  readonly foreign: number;
  readonly bursts: number;
}

const LOOK_EVERY_MS = 2_000;
/** The duration of the random changes between two quiet phases, in milliseconds. */
const STRETCH_MS = 12_000;
/** The number of quiet phases of a run with a number of changes. */
const STRETCHES = 5;
/** The time that a job needs from a file event to its request, in milliseconds. */
const RACE_MS = 60;
const SETTLE_PATIENCE_MS = 90_000;
/** The fewest rounds before the run fails because the job is not quiet. On a busy machine, a round can take minutes. */
const SETTLE_ROUNDS = 20;

/** Returns the bucket type and the drift mode for a soak run with this seed. */
export function settingOf(seed: number): { bucket: SoakedBucket; drift: 'report' | 'enforce' } {
  const dice = new Dice(seed);
  return {
    bucket: dice.pick(['unversioned', 'versioned', 'object-lock'] as const) ?? 'versioned',
    drift: dice.pick(['report', 'enforce'] as const) ?? 'report',
  };
}

export async function runSoak(options: SoakOptions): Promise<SoakReport> {
  const homes = options.disk?.folder ?? options.folder;
  const machines = await Machines.set({ ...options, homes, ...settingOf(options.seed) });
  try {
    const soak = new Soak(options, machines);
    try {
      await soak.live();
      await soak.judge();
    } catch (error) {
      soak.fail(error);
    }
    return soak.report();
  } finally {
    await machines.close();
  }
}

class Soak {
  readonly #options: SoakOptions;
  readonly #machines: Machines;
  readonly #folder: FolderLife;
  readonly #foreign: ForeignLife;
  readonly #witness: Witness;
  readonly #quiet: Quiet[] = [];
  readonly #findings: string[] = [];
  #counts: Counts = { versions: 0, acknowledged: 0, covered: 0, restores: 0, sentTwice: 0 };

  constructor(options: SoakOptions, machines: Machines) {
    const { seed, history, burst = 0 } = options;
    this.#options = options;
    this.#machines = machines;
    this.#folder = new FolderLife(machines.root, new Dice(seed + 1), { history, burst });
    this.#foreign = new ForeignLife(machines.stranger, new Dice(seed + 2), history);
    this.#witness = new Witness(machines.owner, new Dice(seed + 3));
  }

  async live(): Promise<void> {
    const { life, seed } = this.#options;
    await this.#machines.start();
    const dice = { chaos: new Dice(seed + 4), pace: new Dice(seed + 5) };
    if ('deeds' in life) {
      for (let stretch = 0; stretch < STRETCHES; stretch += 1)
        await this.#stretch({ deeds: Math.ceil(life.deeds / STRETCHES) }, dice);
      return;
    }
    const endsAt = systemClock.monotonic() + life.ms;
    for (let left = life.ms; left > 0; left = endsAt - systemClock.monotonic())
      // A short run also has a quiet phase in the middle.
      await this.#stretch({ ms: Math.min(left, STRETCH_MS, life.ms / 2) }, dice);
  }

  /** Makes random changes and failures for a time or a number of changes, and then becomes quiet. */
  async #stretch(
    length: SoakOptions['life'],
    { chaos, pace }: Record<'chaos' | 'pace', Dice>,
  ): Promise<void> {
    const { machines, history, disk } = { machines: this.#machines, ...this.#options };
    const ends = new AbortController();
    const { signal } = ends;
    let deeds = 0;
    const everyMs = this.#options.troubleEveryMs;
    const actors = [
      this.#repeat(signal, pace, this.#options.deedEveryMs, async () => {
        this.#folder.step();
        deeds += 1;
        if ('deeds' in length && deeds >= length.deeds) ends.abort();
      }),
      this.#repeat(signal, pace, this.#options.deedEveryMs * 6, () =>
        this.#foreign.step(this.#folder.paths()),
      ),
      this.#repeat(signal, pace, this.#options.deedEveryMs * 8, () => this.#race(pace)),
      this.#repeat(signal, pace, LOOK_EVERY_MS, () => this.#look()),
      wreakHavoc({ machines, dice: chaos, history, disk, everyMs }, signal),
    ];
    if ('ms' in length) actors.push(systemClock.sleep(length.ms).then(() => ends.abort()));
    try {
      await Promise.all(actors);
    } finally {
      ends.abort();
    }
    await this.#becomeQuiet();
  }

  async #repeat(
    signal: AbortSignal,
    pace: Dice,
    everyMs: number,
    act: () => Promise<void>,
  ): Promise<void> {
    while (!signal.aborted) {
      await act();
      await pause(pace.between(0, 2 * everyMs), signal);
    }
  }

  /** Changes the same key in the folder and in the bucket, almost at the same time. */
  async #race(pace: Dice): Promise<void> {
    const path = this.#folder.touchOne();
    await systemClock.sleep(pace.between(0, RACE_MS));
    if (path !== undefined) await this.#foreign.put(path);
  }

  async #look(): Promise<void> {
    try {
      await this.#witness.look();
    } catch {
      // The service is down. The next listing tries again.
    }
  }

  /** Ends all failures, and waits until the bucket contains the whole folder. */
  async #becomeQuiet(): Promise<void> {
    const { history, disk } = this.#options;
    const machines = this.#machines;
    disk?.free();
    machines.network?.set(undefined);
    machines.setClock(0);
    await machines.start();
    history.add('soak', 'waits for quiet');
    const job = await this.#settle();
    const versions = await readVersions(machines.owner);
    const keys = keysOf(machines.root);
    const { drifted, foreign, held } = job.counts;
    const listed = { differing: drifted + held, foreign, problems: job.problems };
    const findings = judgeHeads(keys, versions, listed);
    this.#findings.push(...findings);
    for (const finding of findings) history.add('finding', finding);
    this.#quiet.push({ at: systemClock.now(), keys });
    history.add('soak', `is quiet: ${versions.length} versions, ${JSON.stringify(job.counts)}`);
    // Ensures that later versions have a later time, because times have a resolution of a millisecond.
    await systemClock.sleep(2);
  }

  async #settle(): Promise<JobStatus> {
    const giveUpAt = systemClock.monotonic() + SETTLE_PATIENCE_MS;
    // The job must be quiet in two consecutive rounds. If the job gives up on a key in the first round, it reports the
    // key as another client's only in the second round.
    for (let inOrder = 0, rounds = 1; ; rounds += 1) {
      const job = await this.#round();
      // A job with drifted or held keys counts as quiet. The final check covers these keys.
      const isQuiet =
        job?.state === 'watching' && job.counts.pending === 0 && job.problems.length === 0;
      inOrder = isQuiet ? inOrder + 1 : 0;
      if (inOrder === 2 && job) return job;
      if (systemClock.monotonic() > giveUpAt && rounds >= SETTLE_ROUNDS)
        throw new Error(`soak: not quiet after ${rounds} rounds: ${JSON.stringify(job)}`);
      if (inOrder === 0) await systemClock.sleep(100);
    }
  }

  /**
   * Runs a full sync round with a listing of the bucket. Returns undefined if the job could not be opened. The daemon
   * then opens the job again.
   */
  async #round(): Promise<JobStatus | undefined> {
    const { client } = this.#machines;
    try {
      await client.call('jobs.run', { name: JOB });
      const { job } = await client.call('jobs.settled', { name: JOB });
      // The job correctly holds many deletes within a few minutes for review. The soak test approves them here.
      const { deletes, overwrites } = await client.call('jobs.approve', { name: JOB });
      if (overwrites > 0) this.#findings.push(`job: reported ${overwrites} edits as an attack`);
      return deletes + overwrites > 0 ? undefined : job;
    } catch (error) {
      if (!isControlError(error, 'Failed')) throw error;
      return undefined;
    }
  }

  /** Records an unexpected error as a finding. */
  fail(error: unknown): void {
    this.#findings.push(error instanceof Error ? (error.stack ?? error.message) : String(error));
  }

  report(): SoakReport {
    const foreign = this.#foreign.acknowledged.length;
    const bursts = this.#options.history.count('burst');
    return { ...this.#counts, foreign, bursts, findings: this.#findings };
  }

  async judge(): Promise<void> {
    const { counts, findings } = await judgeAll({
      ...this.#options,
      machines: this.#machines,
      folder: this.#folder,
      foreign: this.#foreign,
      witness: this.#witness,
      quiet: this.#quiet,
      scratch: this.#options.folder,
    });
    this.#findings.push(...findings);
    this.#counts = counts;
  }
}
