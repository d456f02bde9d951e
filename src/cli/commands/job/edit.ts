/**
 * Implements `holdfast job edit`. It changes options of a job in `config.yaml` and preserves the comments in the file.
 */

import { readOptionValue } from '../../../config/option-value.ts';
import type { Result } from '../../../control/messages.ts';
import { EXIT, type ExitCode, usageError } from '../../output/command-error.ts';
import type { Context } from '../../context.ts';
import { permanent } from '../../output/confirm.ts';
import { visible } from '../../output/text.ts';
import { countText } from '../../../text/amounts.ts';

type Edited = Result<'jobs.edit'>;

/**
 * Changes the options and prints the changed lines. If an option would be invalid, prints the problems, changes nothing
 * and returns `EXIT.usage`, like other commands with an invalid option.
 */
export async function editJob(
  context: Context,
  name: string,
  assignments: readonly string[],
  { dryRun = false }: { readonly dryRun?: boolean },
): Promise<ExitCode> {
  const changes = Object.fromEntries(assignments.map(readAssignment));
  const edited = await context.withDaemon((daemon) =>
    daemon.call('jobs.edit', { name, changes, dryRun }),
  );
  const { problems } = edited;
  if (context.json) await context.out.json(edited);
  else
    await context.out.lines(
      ...(problems.length > 0 ? problemLines(edited) : diffLines(edited, { name, dryRun })),
    );
  return problems.length > 0 ? EXIT.usage : EXIT.ok;
}

/**
 * Returns a text for the confirmation: the protection that the assignments end, or the lock that no user can undo.
 * Returns undefined if there is neither. Throws a usage error for an invalid assignment.
 */
export function lockChange(name: string, assignments: readonly string[]): string | undefined {
  const { lock, also } = Object.fromEntries(assignments.map(readAssignment));
  if (lock === null) return `end the locking of versions of job ${name}`;
  const entries = [{ lock }, ...(Array.isArray(also) ? (also as readonly unknown[]) : [])];
  const locks = entries.map((entry) => membersOf(membersOf(entry)['lock']));
  const strict = locks.find(({ mode }) => mode === 'COMPLIANCE');
  if (!strict) return undefined;
  const { days } = strict;
  const period = typeof days === 'number' ? ` for at least ${countText(days, 'day')} each` : '';
  return permanent(`lock the versions of job ${name} in COMPLIANCE mode${period}`);
}

function membersOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

function readAssignment(typed: string): [string, unknown] {
  const [, key, value] = /^([A-Za-z]+)=(.*)$/s.exec(typed) ?? [];
  if (key !== undefined && value !== undefined) return [key, readOptionValue(key, value)];
  throw usageError(
    `cannot edit the job: "${typed}" is not KEY=VALUE`,
    'for example: verifyDays=7, or verifyDays= for the default',
  );
}

function problemLines({ problems }: Edited): string[] {
  const lines = problems.map(({ option, message }) =>
    visible(option === undefined ? `  ${message}` : `  ${option}: ${message}`),
  );
  return ['nothing was changed:', ...lines];
}

const SIGNS = { added: '+', removed: '-', same: ' ' };

function diffLines(
  { diff }: Edited,
  { name, dryRun }: { name: string; dryRun: boolean },
): string[] {
  if (diff.length === 0) return ['nothing to change'];
  const title = dryRun ? 'would change config.yaml' : `changed job ${visible(name)} in config.yaml`;
  return [`${title}:`, ...diff.map(({ is, text }) => `${SIGNS[is]}${visible(text)}`)];
}
