/** Runs a command that only calls a control method. It reads the arguments, calls the method and shows the result. */

import { ownMember } from '../base/own-member.ts';
import type { MethodName, Params, Result } from '../control/messages.ts';
import { schemasOf } from '../control/method-schemas.ts';
import { PARAMETER_MESSAGES, problemOf, problemText } from '../control/parameter-error.ts';
import type { DerivedCommand, DerivedValue } from '../control/simple-commands.ts';
import { choice } from './arguments/choices.ts';
import { parseBucket } from './arguments/thing.ts';
import { readDocument } from './arguments/read-document.ts';
import { parseGroup, parseProject, parseUser } from './arguments/storage-id.ts';
import { parseDuration } from './arguments/when.ts';
import { callIdentity, isIdentityMethod } from './commands/admin/call-identity.ts';
import type { Context } from './context.ts';
import type { CallOptions } from './declare.ts';
import { EXIT, type ExitCode, usageError } from './output/command-error.ts';
import { wholeNumber } from './output/numbers.ts';
import { visible } from './output/text.ts';

/** Formats the result of a method as lines for people. */
export type Answer<M extends MethodName> = (
  answer: Result<M>,
  call: { readonly context: Context; readonly params: Params<M> },
) => readonly string[];

/** Returns the exit code for a result, even with `--json`. */
export type AnswerCode<M extends MethodName> = (answer: Result<M>) => ExitCode;

/** Returns lines to print before the question of a method that destroys something. */
export type Details<M extends MethodName> = (
  context: Context,
  params: Params<M>,
) => Promise<readonly string[]>;

export type Answers = {
  readonly [M in MethodName]?:
    | Answer<M>
    | {
        readonly lines: Answer<M>;
        readonly exitCode?: AnswerCode<M>;
        readonly details?: Details<M>;
      };
};

/** The modules that format the results of methods, by the first part of the methods' names. */
const ANSWERS: Readonly<Record<string, () => Promise<Answers>>> = {
  alarms: async () => (await import('./commands/monitor/alarms.ts')).ALARM_ANSWERS,
  alerts: async () => (await import('./commands/monitor/alerts.ts')).ALERT_ANSWERS,
  config: async () => (await import('./commands/config/reload.ts')).CONFIG_ANSWERS,
  cors: async () => (await import('./commands/s3/cors.ts')).CORS_ANSWERS,
  groups: async () => (await import('./commands/admin/groups.ts')).GROUP_ANSWERS,
  jobs: async () => (await import('./commands/job/take-over.ts')).JOB_ANSWERS,
  keys: async () => (await import('./commands/admin/keys.ts')).KEY_ANSWERS,
  lifecycle: async () => (await import('./commands/s3/lifecycle.ts')).LIFECYCLE_ANSWERS,
  locks: async () => (await import('./commands/lock/bucket-default.ts')).DEFAULT_LOCK_ANSWERS,
  metrics: async () => (await import('./commands/monitor/metrics.ts')).METRIC_ANSWERS,
  policy: async () => (await import('./commands/s3/policy.ts')).POLICY_ANSWERS,
  projects: async () => (await import('./commands/admin/projects.ts')).PROJECT_ANSWERS,
  publicAccess: async () => (await import('./commands/s3/policy.ts')).POLICY_ANSWERS,
  users: async () => (await import('./commands/admin/users.ts')).USER_ANSWERS,
  versioning: async () => (await import('./commands/s3/versioning.ts')).VERSIONING_ANSWERS,
};

/** How an argument is parsed, by its name in the help. For any other argument, the parameter has the same name. */
const ARGUMENTS: Readonly<Record<string, (text: string) => object>> = {
  bucket: (text) => ({ bucket: parseBucket(text) }),
  group: parseGroup,
  project: parseProject,
  user: parseUser,
};

/**
 * Calls the method, prints its result and returns the exit code. `typed` contains the arguments and options by their
 * names in the help.
 */
export async function callSimply(
  context: Context,
  simple: DerivedCommand,
  typed: CallOptions,
): Promise<ExitCode> {
  const params = await checkedParams(context, simple, typed);
  const answer = await call(context, simple.method, params);
  const { lines, exitCode } = await answerOf(simple.method);
  const code = exitCode?.(answer) ?? EXIT.ok;
  if (context.json) await context.out.json(answer);
  else if (simple.none !== undefined && Object.values(answer).every(isEmptyList))
    await context.remark(simple.none);
  else {
    const shown = lines?.(answer, { context, params });
    await context.out.lines(...(shown ?? outcome(simple, typed, answer)));
  }
  return code;
}

function outcome({ done, absent }: DerivedCommand, typed: CallOptions, answer: object): string[] {
  const isAbsent = 'removed' in answer && answer.removed === false;
  const template = isAbsent ? absent : done;
  return template === undefined ? [] : [visible(filled(template, typed))];
}

/** Returns what the command would destroy. Returns undefined if it would destroy nothing with these arguments. */
export function deedOf(simple: DerivedCommand, typed: CallOptions): string | undefined {
  const params: CallOptions = paramsOf(simple, typed);
  const isMeant = Object.entries(simple.destroysIf ?? {}).every(
    ([member, value]) => params[member] === value,
  );
  return isMeant ? filled(simple.destroys ?? '', typed) : undefined;
}

/** Returns the lines to print before the question. */
export async function detailsOf(
  context: Context,
  simple: DerivedCommand,
  typed: CallOptions,
): Promise<readonly string[]> {
  const { details } = await answerOf(simple.method);
  return (await details?.(context, paramsOf(simple, typed))) ?? [];
}

interface AnyAnswer {
  readonly lines?: Answer<MethodName>;
  readonly exitCode?: AnswerCode<MethodName>;
  readonly details?: Details<MethodName>;
}

async function answerOf(method: MethodName): Promise<AnyAnswer> {
  const noun = method.split('.')[0] ?? method;
  const answer = (await ownMember(ANSWERS, noun)?.())?.[method];
  return typeof answer === 'function' ? { lines: answer } : (answer ?? {});
}

async function call(context: Context, method: MethodName, params: object): Promise<object> {
  if (isIdentityMethod(method)) return callIdentity(context, method, params as never);
  return context.withDaemon((daemon) => daemon.call(method, params as never));
}

/** Throws a usage error that names the parameter if the method's schema rejects it. */
async function checkedParams(
  context: Context,
  simple: DerivedCommand,
  typed: CallOptions,
): Promise<object> {
  const params = { ...paramsOf(simple, typed), ...(await fileOf(context, simple, typed)) };
  const { params: schema } = await schemasOf(simple.method);
  const { error } = schema.safeParse(params, PARAMETER_MESSAGES);
  if (!error) return params;
  const problem = problemOf(error);
  throw usageError(problemText(problem, typedName(simple, problem.parameter)));
}

/** Returns the option or argument that sets the parameter. */
function typedName({ arguments: args, options }: DerivedCommand, parameter: string) {
  const argument = args.find(({ member }) => member === parameter);
  const option = options.find(({ member }) => member === parameter);
  return argument ? argument.name.toUpperCase() : option && `--${option.name}`;
}

/** Returns the parameter of the argument `<file>`: the text of the file. */
async function fileOf(
  context: Context,
  simple: DerivedCommand,
  { file }: CallOptions,
): Promise<object> {
  const argument = simple.arguments.find(({ name }) => name === 'file');
  if (!argument || typeof file !== 'string') return {};
  return { [argument.member]: await readDocument(context, file) };
}

/** Returns the parameters except the parameter that is read from a file. */
function paramsOf(simple: DerivedCommand, typed: CallOptions): CallOptions {
  const args = simple.arguments.filter(({ name }) => name !== 'file');
  const members = [...args, ...simple.options].map((value) => membersOf(value, typed[value.name]));
  return Object.assign({}, ...members, simple.set) as CallOptions;
}

function membersOf(value: DerivedValue, typed: unknown): object {
  const { name, member, kind, choices = [] } = value;
  if (kind === 'flag') return { [member]: typed === true };
  if (typeof typed !== 'string') return {};
  const read = name === member ? ownMember(ARGUMENTS, name) : undefined;
  if (read) return read(typed);
  const { minimum = 0, maximum = Number.MAX_SAFE_INTEGER } = value;
  if (kind === 'duration') return { [member]: parseDuration(typed, maximum) };
  if (kind === 'number') return { [member]: wholeNumber(minimum, maximum)(typed) };
  return { [member]: kind === 'choice' ? choice(name, typed, choices) : typed };
}

/** Replaces `{name}` with the typed value, and `{name|text}` with the text if no value was typed. */
function filled(template: string, typed: CallOptions): string {
  return template.replaceAll(/\{([\w-]+)(?:\|([^}]*))?\}/g, (_, name: string, absent = '') => {
    const value = typed[name];
    return typeof value === 'string' ? value : String(absent);
  });
}

function isEmptyList(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}
