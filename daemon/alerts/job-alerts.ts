/**
 * Checks all jobs once a minute. Sends an alert when a problem starts and a second alert when the problem ends. Also
 * sends heartbeats. An alert is stored after its actions have finished, so that only unfinished actions run again after
 * a crash.
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
  /** Returns the status of each job, and the heartbeat URL of each job that has one. */
  readonly jobs: () => readonly { readonly status: JobStatus; readonly heartbeatUrl?: string }[];
  readonly config: () => AlertsConfig;
  readonly perform: (action: AlertAction, notice: Notice, signal: AbortSignal) => Promise<Outcome>;
  readonly beat: (url: string, signal: AbortSignal) => Promise<Outcome>;
  /** The file with the active alerts that were sent. */
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
/**
 * The delays before the retries of an action. They grow, because the receiver of the alert may be unreachable for some
 * time.
 */
const RETRY_AFTER_MS: readonly number[] = [1_000, 5_000, 30_000, 120_000, 600_000];
/**
 * A stopped job triggers an alert only after this time, so that a short outage of a service does not cause an alert.
 */
const STOPPED_FOR_MS = 10 * 60_000;

export class JobAlerts {
  readonly #options: JobAlertsOptions;
  readonly #startedAt: number;
  readonly #closing = new AbortController();
  /** The alerts that were sent or are being sent, by job and kind. */
  readonly #sent = new Map<string, StandingAlert>();
  /** The start times of problems that have not triggered an alert yet, in milliseconds since 1970, by job and kind. */
  readonly #pending = new Map<string, number>();
  readonly #beatAt = new Map<string, number>();
  readonly #running = new Set<Promise<void>>();
  #cancel: (() => void) | undefined;

  constructor(options: JobAlertsOptions) {
    this.#options = options;
    this.#startedAt = options.clock.now();
    for (const [key, alert] of readSent(options)) this.#sent.set(key, alert);
  }

  start(): void {
    this.#cancel = this.#options.clock.after(LOOK_EVERY_MS, () => {
      this.look();
      this.start();
    });
  }

  /** Returns the active alerts that were sent, with their current reasons. */
  standing(): readonly StandingAlert[] {
    return this.#options.jobs().flatMap(({ status }) => {
      const sent = [...this.#sent.values()].filter(({ job }) => job === status.name);
      if (isUnknown(status)) return sent;
      const now = new Map(this.#judge(status).map((alert) => [alert.kind, alert]));
      return sent.flatMap((alert) => {
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
    for (const [key, alert] of this.#sent) {
      if (seen.has(key) || unknown.has(alert.job)) continue;
      if (names.has(alert.job)) this.#end(key, alert);
      else this.#sent.delete(key);
    }
  }

  #judge(status: JobStatus): readonly Alert[] {
    const { config, clock } = this.#options;
    return alertsOf(status, config(), { now: clock.now(), startedAt: this.#startedAt });
  }

  /** Runs all actions once with a test message, regardless of the status of the job. Returns their outcomes. */
  async test(job: string): Promise<readonly { readonly action: string; readonly said: Outcome }[]> {
    const { config, perform, clock } = this.#options;
    const change: AlertChange = {
      id: randomUUID(),
      job,
      kind: 'lag',
      reason: 'this is a test of the alert actions',
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

  /** Stops all actions. An alert whose actions were stopped is sent again after the next start. */
  async close(): Promise<void> {
    this.#cancel?.();
    this.#closing.abort();
    await Promise.all(this.#running);
  }

  #isDue(key: string, kind: AlertKind, now: number): boolean {
    if (this.#sent.has(key)) return false;
    if (kind !== 'stopped') return true;
    const since = this.#pending.get(key) ?? now;
    this.#pending.set(key, since);
    return now - since >= STOPPED_FOR_MS;
  }

  #begin(key: string, job: string, alert: Alert): void {
    const since = this.#options.clock.now();
    this.#sent.set(key, { ...alert, job, since });
    this.#send({ ...alert, id: randomUUID(), job, state: 'alert', at: since, isTest: false });
  }

  #end(key: string, { kind, reason, job }: StandingAlert): void {
    this.#sent.delete(key);
    const at = this.#options.clock.now();
    this.#send({ kind, reason, id: randomUUID(), job, state: 'over', at, isTest: false });
  }

  #send(change: AlertChange): void {
    const notice = noticeOfAlert(change);
    const { actions } = this.#options.config();
    this.#run(async () => {
      await Promise.all(actions.map((action) => this.#insist(action, notice)));
      await writeSent(this.#options, this.#sent);
    });
  }

  async #insist(action: AlertAction, notice: Notice): Promise<void> {
    const { perform, clock, logger } = this.#options;
    const { signal } = this.#closing;
    for (const waitMs of [...RETRY_AFTER_MS, undefined]) {
      const { ok, mayRetry, said } = await perform(action, notice, signal);
      if (ok) return;
      if (!mayRetry || waitMs === undefined) {
        logger.warn({ action: action.type, said }, 'alerts: action failed');
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
      if (!ok) logger.warn({ job: name, said }, 'alerts: heartbeat failed');
    });
  }

  #run(work: () => Promise<void>): void {
    const running = work()
      .catch((error: unknown) => {
        if (this.#closing.signal.aborted) return;
        this.#options.logger.error(
          { error: errorMessage(error) },
          'alerts: cannot run the actions',
        );
      })
      .finally(() => this.#running.delete(running));
    this.#running.add(running);
  }
}

/**
 * Returns whether the job is still starting. Until it has started, its problems are unknown, so its alerts must not be
 * reported as ended.
 */
function isUnknown({ state }: JobStatus): boolean {
  return state === 'starting';
}

function keyOf(job: string, kind: AlertKind): string {
  return `${job}\0${kind}`;
}

function readSent({
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
    const sent = z.record(z.string(), alert).parse(stored);
    return Object.entries(sent) as [string, StandingAlert][];
  } catch (error) {
    // Without this file, active alerts are sent again.
    if (errorCode(error) !== 'ENOENT')
      logger.warn({ file, error: errorMessage(error) }, 'alerts: cannot read the sent alerts');
    return [];
  }
}

async function writeSent(
  { file }: JobAlertsOptions,
  sent: ReadonlyMap<string, StandingAlert>,
): Promise<void> {
  await writeAtomically(file, `${JSON.stringify(Object.fromEntries(sent))}\n`);
}
