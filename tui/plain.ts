/**
 * The dashboard as plain lines of text, for screen readers, for terminals without cursor positioning, and for
 * `--plain`. It never redraws a line and reports changes at most every five seconds.
 */

import type { Clock } from '../src/base/clock.ts';
import { isAbort } from '../src/base/errors.ts';
import type { ControlClient } from '../src/control/client.ts';
import { exceptionsOf, nextStep, standingText } from '../src/control/job-standing.ts';
import { isProtectedOrKept } from '../src/control/protection.ts';
import type { JobStatus } from '../src/control/shapes.ts';
import { ActivityLog } from './data/activity-log.ts';
import { Changes } from './data/changes.ts';
import { DaemonLink } from './data/daemon-link.ts';
import { StatusStore } from './data/status-store.ts';
import { bytesText, countText } from '../src/text/amounts.ts';
import { clockText, durationText } from '../src/text/time.ts';
import type { Look } from './theme/look.ts';

/** The interval between reports is long because speech output is slower than reading. */
const EVERY_MS = 5_000;
/** One report lists at most this many warnings and errors. It only counts the others. */
const MOST_SAID = 10;

export interface PlainOptions {
  readonly clock: Clock;
  readonly look: Look;
  readonly connect: () => Promise<ControlClient>;
  /** Writes lines of text. Rejects if the output is closed. */
  readonly write: (lines: readonly string[]) => Promise<void>;
  /** Whether to report changes until the signal is aborted. If false, only one report is written. */
  readonly follow: boolean;
  readonly signal: AbortSignal;
}

/**
 * Writes the plain report. Resolves when the report is complete or the signal is aborted. If the daemon is down, the
 * report says so; this is not an error.
 */
export async function runPlain(options: PlainOptions): Promise<void> {
  const { clock, connect, signal } = options;
  const link = new DaemonLink({ connect, clock });
  const changes = new Changes(clock);
  const report = new PlainReport(options, {
    link,
    status: new StatusStore(link, changes),
    activity: new ActivityLog(link),
  });
  try {
    await link.connect();
    await report.status.refresh();
    await report.say();
    while (options.follow && !signal.aborted) {
      await clock.sleep(EVERY_MS, signal);
      await report.say();
    }
  } catch (error) {
    if (!isAbort(error) && !signal.aborted) throw error;
  } finally {
    link.close();
    changes.close();
  }
}

interface Stores {
  readonly link: DaemonLink;
  readonly status: StatusStore;
  readonly activity: ActivityLog;
}

class PlainReport {
  readonly status: StatusStore;
  readonly #options: PlainOptions;
  readonly #stores: Stores;
  /** The text that was last reported about each subject, such as a job. */
  readonly #said = new Map<string, string>();
  #lastSeq = -1;
  #isFirst = true;

  constructor(options: PlainOptions, stores: Stores) {
    this.#options = options;
    this.#stores = stores;
    this.status = stores.status;
  }

  /** Writes everything that has changed since the last report. */
  async say(): Promise<void> {
    const at = clockText(this.#options.clock.now());
    const subjects = new Map([...this.#daemon(), ...this.#jobs(), ...this.#alarms()]);
    const news = [...this.#greeting(), ...this.#changed(subjects), ...this.#happened()];
    const lines = news.map((line) => `${at} ${line}`);
    this.#isFirst = false;
    if (lines.length > 0) await this.#options.write(lines);
  }

  #changed(subjects: ReadonlyMap<string, string>): string[] {
    const lines: string[] = [];
    for (const [subject, text] of subjects) {
      if (this.#said.get(subject) !== text) lines.push(`${subject}: ${text}`);
      this.#said.set(subject, text);
    }
    if (!this.#stores.link.isUp) return lines;
    for (const subject of [...this.#said.keys()].filter((each) => !subjects.has(each))) {
      this.#said.delete(subject);
      lines.push(`${subject}: ${subject.startsWith('alarm ') ? 'over' : 'removed'}`);
    }
    return lines;
  }

  /** Returns the greeting line of the report, which is written only once. */
  #greeting(): string[] {
    const { current } = this.status;
    if (!current || !this.#isFirst) return [];
    const up = durationText(this.#options.clock.now() - current.startedAt);
    return [`holdfast ${current.version}, up ${up}, ${countText(current.jobs.length, 'job')}`];
  }

  *#daemon(): Iterable<readonly [string, string]> {
    const { state } = this.#stores.link;
    if (state.kind === 'connecting') return;
    if (state.kind === 'down') {
      const hint = state.hint === undefined ? '' : ` (${state.hint})`;
      yield ['daemon', this.#options.look.name(`${state.why}: ${state.message}${hint}`)];
      return;
    }
    yield ['daemon', 'running'];
  }

  *#jobs(): Iterable<readonly [string, string]> {
    if (!this.#stores.link.isUp) return;
    for (const job of this.status.jobs) yield [`job ${job.name}`, this.#jobText(job)];
  }

  #jobText(job: JobStatus): string {
    const { state, reason, counts } = job;
    const { is, reason: why = '' } = job.protection;
    const step = nextStep(job);
    const words = [
      standingText(job, countText),
      isProtectedOrKept(job) ? is : `${is}: ${why}`,
      `${countText(counts.files, 'file')}, ${bytesText(counts.bytes)}`,
      ...(counts.pending > 0 ? [`${countText(counts.pending, 'change')} to go`] : []),
      // In the state `watching`, `standingText` already names the exceptions, such as conflicts.
      ...(state === 'watching' ? [] : exceptionsOf(job, countText)),
      ...(reason === undefined ? [] : [reason]),
      ...(step === undefined ? [] : [step]),
    ];
    return this.#options.look.name(words.join('; '));
  }

  *#alarms(): Iterable<readonly [string, string]> {
    if (!this.#stores.link.isUp) return;
    for (const { name, bucket, reason } of this.status.current?.alarms ?? []) {
      yield [`alarm ${name}`, this.#options.look.name(`${bucket}: ${reason}`)];
    }
  }

  /** Returns the warnings and errors that the daemon reported since the last report. */
  #happened(): string[] {
    const news = this.#stores.activity.entries.filter(({ seq }) => seq > this.#lastSeq);
    this.#lastSeq = news.at(-1)?.seq ?? this.#lastSeq;
    if (this.#isFirst) return [];
    const worth = news.filter(({ level }) => level !== 'info');
    const lines = worth.slice(0, MOST_SAID).map(({ job, level, path, message }) => {
      const what = path === undefined || message.includes(path) ? message : `${path}: ${message}`;
      return this.#options.look.name(`${level} of job ${job}: ${what}`);
    });
    const more = worth.length - lines.length;
    return more > 0 ? [...lines, `and ${countText(more, 'more line')}`] : lines;
  }
}
