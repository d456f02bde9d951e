/** Implements `holdfast lock retention` for the retention of versions. */

import { defined } from '../../../base/defined.ts';
import type { ControlClient } from '../../../control/client.ts';
import type { Result } from '../../../control/messages.ts';
import { choice } from '../../arguments/choices.ts';
import { type ExitCode, usageError } from '../../output/command-error.ts';
import type { Context } from '../../context.ts';
import { permanent } from '../../output/confirm.ts';
import { type LockTarget, changeLocks, checkLockOptions } from './lock-changes.ts';
import { withThing } from '../../arguments/resolve-thing.ts';
import { timeText, zonedTimeText } from '../../../text/time.ts';
import { visible } from '../../output/text.ts';
import { parseEnd, parseUntil } from '../../arguments/when.ts';

type Retention = NonNullable<Result<'retention.get'>['retention']>;

export interface RetentionOptions {
  readonly versionId?: string;
}

export interface ExtendRetentionOptions extends RetentionOptions {
  readonly until?: string;
  readonly for?: string;
  readonly recursive?: boolean;
  readonly dryRun?: boolean;
}

export interface SetRetentionOptions extends ExtendRetentionOptions {
  readonly mode: string;
  readonly bypassGovernance?: boolean;
}

export async function getRetention(
  context: Context,
  typed: string,
  { versionId }: RetentionOptions,
): Promise<void> {
  const rules = { ifBoth: 'object', hasVersions: true, needsKey: true, versionId } as const;
  const answer = await withThing(context, typed, rules, (daemon, place) =>
    daemon.call('retention.get', place),
  );
  if (context.json) return context.out.json(answer);
  await context.out.lines(retentionText(typed, answer.retention, context.io.clock.now()));
}

function retentionText(typed: string, retention: Retention | undefined, now: number): string {
  if (retention === undefined) return `${visible(typed)}: no retention was ever set`;
  const ended = retention.retainUntil <= now ? ', which is over' : '';
  return `${visible(typed)}: ${retention.mode} until ${timeText(retention.retainUntil)}${ended}`;
}

const MODES = ['GOVERNANCE', 'COMPLIANCE'] as const;

export function setRetention(
  context: Context,
  typed: string,
  options: SetRetentionOptions,
): Promise<ExitCode> {
  const { mode: word, bypassGovernance, ...rest } = options;
  const mode = choice('--mode', word, MODES);
  const retention = { mode, retainUntil: untilOf(context, rest) };
  return changeLocks(context, typed, {
    ...rest,
    words: { doing: 'retaining', did: 'retained', would: 'retain' },
    said: `${mode} until ${timeText(retention.retainUntil)}`,
    change: async (daemon, target) => {
      await daemon.call('retention.set', defined({ ...target, retention, bypassGovernance }));
    },
  });
}

/**
 * Returns a text for the confirmation: the effect that the user cannot undo. Returns undefined if a user with full
 * access can undo it. Throws a usage error for invalid options.
 */
export function setForGood(
  context: Context,
  typed: string,
  { mode: word = '', bypassGovernance, ...rest }: Partial<SetRetentionOptions>,
): string | undefined {
  checkLockOptions(rest);
  const mode = choice('--mode', word, MODES);
  const retainUntil = untilOf(context, rest);
  if (rest.dryRun) return undefined;
  const what = whatOf(typed, rest);
  if (mode === 'COMPLIANCE')
    return permanent(`lock ${what} in COMPLIANCE mode until ${zonedTimeText(retainUntil)}`);
  return bypassGovernance ? `shorten the GOVERNANCE retention of ${what}` : undefined;
}

/** Like `setForGood`, but reads the mode of a single version from the service. */
export async function extendForGood(
  context: Context,
  typed: string,
  options: ExtendRetentionOptions,
): Promise<string | undefined> {
  checkLockOptions(options);
  const retainUntil = untilOf(context, options);
  if (options.dryRun) return undefined;
  const until = zonedTimeText(retainUntil);
  if (options.recursive)
    return permanent(
      `extend GOVERNANCE and COMPLIANCE of ${whatOf(typed, options)} until ${until}`,
    );
  const rules = { ifBoth: 'refuse', needsKey: true, versionId: options.versionId } as const;
  const { retention } = await withThing(context, typed, rules, (daemon, place) =>
    daemon.call('retention.get', place),
  );
  if (retention?.mode !== 'COMPLIANCE' || retainUntil <= retention.retainUntil) return undefined;
  return permanent(`extend COMPLIANCE of ${typed} until ${until}`);
}

function whatOf(typed: string, { recursive }: Pick<ExtendRetentionOptions, 'recursive'>): string {
  return recursive ? `every object below ${typed}` : typed;
}

/**
 * Extends the retention of versions without changing its mode. A retention can be extended even in COMPLIANCE mode.
 */
export function extendRetention(
  context: Context,
  typed: string,
  options: ExtendRetentionOptions,
): Promise<ExitCode> {
  const retainUntil = untilOf(context, options);
  return changeLocks(context, typed, {
    ...options,
    words: { doing: 'extending', did: 'extended', would: 'extend' },
    said: `until ${timeText(retainUntil)}`,
    change: (daemon, target) => extendOne(daemon, target, retainUntil),
  });
}

async function extendOne(
  daemon: ControlClient,
  target: LockTarget,
  retainUntil: number,
): Promise<void> {
  const { dryRun: _, ...version } = target;
  const { retention } = await daemon.call('retention.get', version);
  const name = visible(`${target.bucket}/${target.key}`);
  if (retention === undefined) {
    throw usageError(
      `cannot extend the retention of ${name}: it has none`,
      'set one: holdfast lock retention set OBJECT --mode GOVERNANCE --for 30d',
    );
  }
  if (retainUntil < retention.retainUntil) {
    throw usageError(
      `cannot extend the retention of ${name}: it already ends ${timeText(retention.retainUntil)}`,
      'to shorten GOVERNANCE: holdfast lock retention set … --bypass-governance; COMPLIANCE cannot be shortened',
    );
  }
  await daemon.call('retention.set', { ...target, retention: { ...retention, retainUntil } });
}

/** The maximum of `--for`. The default retention of a bucket has the same maximum. */
const MAX_RETENTION_MS = 36_500 * 86_400_000;

function untilOf(context: Context, { until, for: period }: ExtendRetentionOptions): number {
  if ((until === undefined) === (period === undefined)) {
    throw usageError(
      'cannot set the retention: its end is not clear',
      'give either --until 2027-01-31 or --for 30d',
    );
  }
  const now = context.io.clock.now();
  if (until !== undefined) return parseUntil(until, now);
  return parseEnd(period ?? '', now, MAX_RETENTION_MS);
}
