/**
 * Implements `holdfast s3 lifecycle set|add|remove|on|off` for the lifecycle rules of a bucket, and formats the results
 * of `get`, `run` and `runs`.
 */

import { defined } from '../../../base/defined.ts';
import { isControlError } from '../../../control/control-error.ts';
import type { ControlClient } from '../../../control/client.ts';
import type { Result } from '../../../control/messages.ts';
import { CommandError, usageError } from '../../output/command-error.ts';
import type { Context } from '../../context.ts';
import { aheadLines, ruleLines, runLine, runText } from '../../output/lifecycle-text.ts';
import { parseBucket } from '../../arguments/thing.ts';
import { readDocument } from '../../arguments/read-document.ts';
import { countText } from '../../../text/amounts.ts';
import type { Answers } from '../../simple-call.ts';

export interface AddRuleOptions {
  readonly prefix?: string;
  readonly expireAfter?: number;
  readonly deletePreviousAfter?: number;
  readonly off?: boolean;
}

type Rule = Result<'lifecycle.get'>['rules'][number];

export const LIFECYCLE_ANSWERS: Answers = {
  'lifecycle.get': ({ rules }, { context: { out } }) =>
    rules.flatMap((rule) => ruleLines(rule, out.paint)),
  'lifecycle.run': ({ run, clockAheadMs }, { context: { out } }) => [
    runText(run),
    ...aheadLines(clockAheadMs, out.paint),
  ],
  'lifecycle.runs': ({ runs }, { context: { out } }) => runs.map((run) => runLine(run, out.paint)),
};

/** Replaces the rules with those in a file. The file has the format of `get --json` or of another S3 tool. */
export async function setLifecycle(context: Context, typed: string, file: string): Promise<void> {
  const bucket = parseBucket(typed);
  const document = await readDocument(context, file);
  const ours = ownRules(document);
  const rules = await context.withDaemon(async (daemon) => {
    if (!ours) return (await daemon.call('lifecycle.import', { bucket, document })).rules;
    await daemon.call('lifecycle.set', { bucket, rules: ours });
    return ours;
  });
  await printCount(context, bucket, rules);
}

export async function addRule(
  context: Context,
  place: { readonly bucket: string; readonly name: string },
  options: AddRuleOptions,
): Promise<void> {
  const rule = ruleOf(place.name, options);
  await change(context, place.bucket, (rules) => {
    if (!rules.some(({ id }) => id === rule.id)) return [...rules, rule];
    const hint = 'remove it first, or choose another name';
    throw new CommandError(
      'Conflict',
      `bucket ${place.bucket} has a rule "${place.name}" already`,
      hint,
    );
  });
}

export async function removeRule(context: Context, typed: string, name: string): Promise<void> {
  await change(context, typed, (rules) => {
    existing(rules, name, typed);
    return rules.filter(({ id }) => id !== name);
  });
}

export async function switchRule(
  context: Context,
  place: { readonly bucket: string; readonly name: string },
  enabled: boolean,
): Promise<void> {
  await change(context, place.bucket, (rules) => {
    existing(rules, place.name, place.bucket);
    return rules.map((rule) => (rule.id === place.name ? { ...rule, enabled } : rule));
  });
}

async function change(
  context: Context,
  typed: string,
  changed: (rules: readonly Rule[]) => readonly Rule[],
): Promise<void> {
  const bucket = parseBucket(typed);
  const rules = await context.withDaemon(async (daemon) => {
    const after = changed(await rulesOf(daemon, bucket));
    await daemon.call('lifecycle.set', { bucket, rules: after });
    return after;
  });
  await printCount(context, bucket, rules);
}

async function rulesOf(daemon: ControlClient, bucket: string): Promise<readonly Rule[]> {
  try {
    return (await daemon.call('lifecycle.get', { bucket })).rules;
  } catch (error) {
    if (isControlError(error) && error.storageCode === 'NoSuchLifecycleConfiguration') return [];
    throw error;
  }
}

function existing(rules: readonly Rule[], name: string, bucket: string): void {
  if (rules.some(({ id }) => id === name)) return;
  const hint = `to list the rules: holdfast s3 lifecycle get ${bucket}`;
  const message = `bucket ${bucket} has no lifecycle rule "${name}"`;
  throw new CommandError('NotFound', message, hint);
}

async function printCount(context: Context, bucket: string, rules: readonly Rule[]): Promise<void> {
  if (context.json) return context.out.json({ rules });
  const off = rules.filter(({ enabled }) => !enabled).length;
  const offText = off === 0 ? '' : `, ${off} of them off`;
  await context.out.lines(
    `bucket ${bucket} has ${countText(rules.length, 'lifecycle rule')}${offText}`,
  );
}

/**
 * Returns the rules in a file's text. Returns undefined if the text does not have the format of `get --json`. The
 * daemon validates the rules.
 */
function ownRules(document: string): readonly Rule[] | undefined {
  try {
    const value: unknown = JSON.parse(document);
    if (typeof value !== 'object' || value === null || !('rules' in value)) return undefined;
    return Array.isArray(value.rules) ? value.rules.map(withDateInMs) : undefined;
  } catch {
    return undefined;
  }
}

/** Converts the date of a rule from ISO 8601, as in `get --json`, to milliseconds, as in the control protocol. */
function withDateInMs(rule: Rule): Rule {
  const { expiration } = rule;
  if (!expiration || !('date' in expiration) || typeof expiration.date !== 'string') return rule;
  return { ...rule, expiration: { date: Date.parse(expiration.date) } };
}

/**
 * Returns the rule that the options describe. The options correspond to the fields of the console in the specification.
 * Throws a usage error if no option sets an action.
 */
function ruleOf(name: string, options: AddRuleOptions): Rule {
  const { prefix, expireAfter, deletePreviousAfter, off = false } = options;
  if (expireAfter === undefined && deletePreviousAfter === undefined) {
    throw usageError('a rule needs --expire-after DAYS or --delete-previous-after DAYS');
  }
  return defined({
    id: name,
    enabled: !off,
    filter: defined({ prefix }),
    expiration: expireAfter === undefined ? undefined : { days: expireAfter },
    noncurrentExpiration:
      deletePreviousAfter === undefined ? undefined : { days: deletePreviousAfter },
  });
}
