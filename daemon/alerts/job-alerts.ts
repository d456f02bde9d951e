/**
 * Looks at all jobs once a minute, tells of what is wrong when it begins and when it is over, and gives signs of life.
 * What was told is remembered beside the jobs' states, once its actions have ended: a crash in between has them done
 * again, and a restart tells nobody twice of the same.
 */

import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';

import { z } from 'zod';

import type { Clock } from '../../src/base/clock.ts';
import { errorCode, errorMessage } from '../../src/base/errors.ts';
import type { Logger } from '../../src/base/logger.ts';
import type { AlertAction, AlertsConfig } from '../../src/config/alerts.ts';
import type { JobStatus } from '../../src/control/shapes.ts';
import { writeAtomically } from '../../src/config/write-atomically.ts';
import type { Notice } from '../../src/monitoring/actions/notice.ts';
import type { Outcome } from '../../src/monitoring/actions/outcome.ts';
import { type Alert, type AlertKind, alertsOf } from './judge.ts';
import { type AlertChange, noticeOfAlert } from './notice.ts';

export interface JobAlertsOptions {
  /** Of all jobs, with the address of its sign of life where it has one. */
  readonly jobs: () => readonly { readonly status: JobStatus; readonly heartbeatUrl?: string }[];
  readonly config: () => AlertsConfig;
  readonly perform: (action: AlertAction, notice: Notice, signal: AbortSignal) => Promise<Outcome>;
  readonly beat: (url: string, signal: AbortSignal) => Promise<Outcome>;
  /** What was told is kept there. */
  readonly file: string;
  readonly clock: Clock;
  readonly logger: Logger;
}

export interface StandingAlert extends Alert {
  readonly job: string;
  readonly since: number;
}

const LOOK_EVERY_MS = 60_000;
const BEAT_EVERY_MS = 5 * 60_000;
/** Whoever is told may be away for a while. */
const RETRY_AFTER_MS: readonly number[] = [1_000, 5_000, 30_000, 120_000, 600_000];
/** A service that is away for a moment is nobody's business. */
const STOPPED_FOR_MS = 10 * 60_000;

export class JobAlerts {
  readonly #options: JobAlertsOptions;
  readonly #startedAt: number;
  readonly #closing = new AbortController();
  /** By job and kind: what was told of, or is being told. */
  readonly #told = new Map<string, StandingAlert>();
  /** Since when something is wrong that may pass by itself. */
  readonly #pending = new Map<string, number>();
  readonly #beatAt = new Map<string, number>();
  readonly #running = new Set<Promise<void>>();
  #cancel: (() => void) | undefined;

  constructor(options: JobAlertsOptions) {
    this.#options = options;
    this.#startedAt = options.clock.now();
    for (const [key, alert] of readTold(options)) this.#told.set(key, alert);
  }

  start(): void {
    this.#cancel = this.#options.clock.after(LOOK_EVERY_MS, () => {
      this.look();
      this.start();
    });
  }

  /** Those that were told of and are not over at this moment, with their reasons as they are now: numbers grow. */
  standing(): readonly StandingAlert[] {
    return this.#options.jobs().flatMap(({ status }) => {
      const told = [...this.#told.values()].filter(({ job }) => job === status.name);
      if (isUnknown(status)) return told;
      const now = new Map(this.#judge(status).map((alert) => [alert.kind, alert]));
      return told.flatMap((alert) => {
        const judged = now.get(alert.kind);
        return judged ? [{ ...alert, ...judged }] : [];
      });
    });
  }

  look(): void {
    const { jobs, clock } = this.#options;
    const seen = new Set<string>();
    const unknown = new Set<string>();
    const names = new Set<string>();
    const now = clock.now();
    for (const { status, heartbeatUrl } of jobs()) {
      if (isUnknown(status)) unknown.add(status.name);
      names.add(status.name);
      const alerts = this.#judge(status);
      for (const alert of alerts) {
        const key = keyOf(status.name, alert.kind);
        seen.add(key);
        if (this.#isDue(key, alert.kind, now)) this.#begin(key, status.name, alert);
      }
      if (heartbeatUrl !== undefined && alerts.length === 0) this.#giveSign(status, heartbeatUrl);
    }
    for (const key of this.#pending.keys()) if (!seen.has(key)) this.#pending.delete(key);
    for (const [key, alert] of this.#told) {
      if (seen.has(key) || unknown.has(alert.job)) continue;
      if (names.has(alert.job)) this.#end(key, alert);
      else this.#told.delete(key);
    }
  }

  #judge(status: JobStatus): readonly Alert[] {
    const { config, clock } = this.#options;
    return alertsOf(status, config(), { now: clock.now(), startedAt: this.#startedAt });
  }

  /** Does all actions once, whatever the jobs are like. */
  async test(job: string): Promise<readonly { readonly action: string; readonly said: Outcome }[]> {
    const { config, perform, clock } = this.#options;
    const change: AlertChange = {
      id: randomUUID(),
      job,
      kind: 'lag',
      reason: 'somebody tries the actions out',
      state: 'alert',
      at: clock.now(),
      isTest: true,
    };
    const notice = noticeOfAlert(change);
    return Promise.all(
      config().actions.map(async (action) => ({
        action: action.type,
        said: await perform(action, notice, this.#closing.signal),
      })),
    );
  }

  /** What is being told is given up: it is told again after the next start. */
  async close(): Promise<void> {
    this.#cancel?.();
    this.#closing.abort();
    await Promise.all(this.#running);
  }

  #isDue(key: string, kind: AlertKind, now: number): boolean {
    if (this.#told.has(key)) return false;
    if (kind !== 'stopped') return true;
    const since = this.#pending.get(key) ?? now;
    this.#pending.set(key, since);
    return now - since >= STOPPED_FOR_MS;
  }

  #begin(key: string, job: string, alert: Alert): void {
    const since = this.#options.clock.now();
    this.#told.set(key, { ...alert, job, since });
    this.#tell({ ...alert, id: randomUUID(), job, state: 'alert', at: since, isTest: false });
  }

  #end(key: string, { kind, reason, job }: StandingAlert): void {
    this.#told.delete(key);
    const at = this.#options.clock.now();
    this.#tell({ kind, reason, id: randomUUID(), job, state: 'over', at, isTest: false });
  }

  #tell(change: AlertChange): void {
    const notice = noticeOfAlert(change);
    const { actions } = this.#options.config();
    this.#run(async () => {
      await Promise.all(actions.map((action) => this.#insist(action, notice)));
      await writeTold(this.#options, this.#told);
    });
  }

  async #insist(action: AlertAction, notice: Notice): Promise<void> {
    const { perform, clock, logger } = this.#options;
    const { signal } = this.#closing;
    for (const waitMs of [...RETRY_AFTER_MS, undefined]) {
      const { ok, mayRetry, said } = await perform(action, notice, signal);
      if (ok) return;
      if (!mayRetry || waitMs === undefined) {
        logger.warn({ action: action.type, said }, 'tell of a job: failed');
        return;
      }
      await clock.sleep(waitMs, signal);
    }
  }

  #giveSign({ name, state }: JobStatus, url: string): void {
    const { beat, clock, logger } = this.#options;
    const now = clock.now();
    const isAlive = state === 'watching' || state === 'mirroring' || state === 'scanning';
    if (!isAlive || now - (this.#beatAt.get(name) ?? 0) < BEAT_EVERY_MS) return;
    this.#beatAt.set(name, now);
    this.#run(async () => {
      const { ok, said } = await beat(url, this.#closing.signal);
      if (!ok) logger.warn({ job: name, said }, 'give a sign of life: failed');
    });
  }

  #run(work: () => Promise<void>): void {
    const running = work()
      .catch((error: unknown) => {
        if (this.#closing.signal.aborted) return;
        this.#options.logger.error({ error: errorMessage(error) }, 'tell of a job: failed');
      })
      .finally(() => this.#running.delete(running));
    this.#running.add(running);
  }
}

/** Before its first look nothing is known to be over. */
function isUnknown({ state }: JobStatus): boolean {
  return state === 'starting';
}

function keyOf(job: string, kind: AlertKind): string {
  return `${job}\0${kind}`;
}

function readTold({
  file,
  logger,
}: JobAlertsOptions): readonly (readonly [string, StandingAlert])[] {
  try {
    const stored: unknown = JSON.parse(readFileSync(file, 'utf8'));
    const alert = z.object({
      job: z.string(),
      kind: z.string(),
      reason: z.string(),
      since: z.number(),
    });
    const told = z.record(z.string(), alert).parse(stored);
    return Object.entries(told) as [string, StandingAlert][];
  } catch (error) {
    // Then it is told of again.
    if (errorCode(error) !== 'ENOENT')
      logger.warn({ file, error: errorMessage(error) }, 'read what was told of jobs: failed');
    return [];
  }
}

async function writeTold(
  { file }: JobAlertsOptions,
  told: ReadonlyMap<string, StandingAlert>,
): Promise<void> {
  await writeAtomically(file, `${JSON.stringify(Object.fromEntries(told))}\n`);
}
