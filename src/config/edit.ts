/**
 * Edits `config.yaml`. Changes only the requested entries. All other lines are preserved, unless the user's indentation
 * makes that impossible (see change-source.ts). Comments and the order of keys are always preserved.
 */

import { realpath } from 'node:fs/promises';
import { isDeepStrictEqual } from 'node:util';

import { errorCode } from '../base/errors.ts';
import { changeSource } from './change-source.ts';
import type { Change } from './change-source.ts';
import type { Config } from './config.ts';
import { ConfigError, type ConfigProblem } from './config-error.ts';
import { readDocument } from './document.ts';
import type { Home } from './home.ts';
import { partsOfName } from './job-name.ts';
import { parseConfig, readConfigText } from './load.ts';
import { migrateSource } from './migrate-source.ts';
import type { JobEntry, TargetEntry } from './schema.ts';
import { writeAtomically } from './write-atomically.ts';

const FIRST_LINES =
  '# What Holdfast mirrors. Every option is explained in config.example.yaml of the package.\n';

/**
 * Adds a job. Returns the new configuration, as do all functions in this module that change the file. If it throws
 * `ConfigError`, nothing was changed.
 */
export function addJob(home: Home, job: JobEntry): Promise<Config> {
  return edit(home, [{ kind: 'add', list: 'jobs', entry: job }]);
}

export function removeJob(home: Home, name: string): Promise<Config> {
  return edit(home, [{ kind: 'remove', list: 'jobs', name }]);
}

export function setJobPaused(home: Home, name: string, paused: boolean): Promise<Config> {
  return edit(home, [{ kind: 'set', list: 'jobs', name, key: 'paused', value: paused }]);
}

/** New values of a job's options, by key. Null removes an option, so that its default applies. */
export type JobChanges = Readonly<Record<string, unknown>>;

/** The text of the file before and after a planned change, and the problems that the changed file would have. */
export interface JobEdit {
  readonly before: string;
  readonly after: string;
  readonly problems: readonly ConfigProblem[];
}

/**
 * Plans a change of a job without writing it. Throws `ConfigError` if the file already has errors or the job does not
 * exist.
 */
export function planJobEdit(home: Home, name: string, changes: JobChanges): Promise<JobEdit> {
  return planEdit(home, settings(name, changes));
}

/** Plans to add a job without writing it. */
export function planJobAddition(home: Home, job: JobEntry): Promise<JobEdit> {
  return planEdit(home, [{ kind: 'add', list: 'jobs', entry: job }]);
}

/** Plans to add a target, or to set the protocol of an existing target, without writing the change. */
export function planTargetAddition(
  home: Home,
  target: TargetEntry,
  existing: boolean,
): Promise<JobEdit> {
  return planEdit(home, targetChanges(target, existing));
}

/** Plans to add a job without writing it. If the job's target does not exist yet, the plan also adds the target. */
export function planJobWithTarget(home: Home, entries: JobWithTarget): Promise<JobEdit> {
  return planEdit(home, additions(entries));
}

async function planEdit(home: Home, changes: readonly Change[]): Promise<JobEdit> {
  const { file, text, changed } = await planned(home, changes);
  const plan = { before: text, after: changed };
  try {
    parseConfig(changed, { file, home });
    return { ...plan, problems: [] };
  } catch (error) {
    if (error instanceof ConfigError) return { ...plan, problems: error.problems };
    throw error;
  }
}

export function editJob(home: Home, name: string, changes: JobChanges): Promise<Config> {
  return edit(home, settings(name, changes));
}

function settings(name: string, changes: JobChanges): readonly Change[] {
  return Object.entries(changes).map(([key, value]) => ({
    kind: 'set',
    list: 'jobs',
    name,
    key,
    value,
  }));
}

/** Adds a target. If `existing` is true, only sets the protocol of the existing target. */
export function addTarget(home: Home, target: TargetEntry, existing = false): Promise<Config> {
  return edit(home, targetChanges(target, existing));
}

function targetChanges(target: TargetEntry, existing: boolean): readonly Change[] {
  if (!existing) return [{ kind: 'add', list: 'targets', entry: target }];
  const { name, protocol: value } = target;
  return value === undefined
    ? []
    : [{ kind: 'set', list: 'targets', name, key: 'protocol', value }];
}

/**
 * Renames a target in its entry and in all jobs that use it. `keyFile` is the new path of the target's key file. It is
 * absent if the target's entry specifies where the key is, because the key then stays there.
 */
export async function renameTarget(
  home: Home,
  { from, to, keyFile }: { readonly from: string; readonly to: string; readonly keyFile?: string },
): Promise<Config> {
  const text = await readConfigText(await target(home.configFile));
  const { targets, jobs } = parseConfig(text, { file: home.configFile, home });
  if (!targets.some(({ name }) => name === from))
    throw refused(home.configFile, `targets has no ${from}`);
  const keys = keyFile === undefined ? [] : statedKeyFile(text, from, keyFile);
  const change = (list: 'jobs' | 'targets', name: string, key: string, value: unknown): Change => ({
    kind: 'set',
    list,
    name,
    key,
    value,
  });
  return edit(home, [
    ...keys.map(({ key, value }) => change('targets', from, key, value)),
    change('targets', from, 'name', to),
    ...jobs
      .filter((job) => job.target === from)
      .map((job) => change('jobs', job.name, 'target', to)),
  ]);
}

/**
 * Returns the options of the target's entry that specify its key file. Returns no options if the file has the default
 * name.
 */
function statedKeyFile(
  text: string,
  name: string,
  file: string,
): readonly { readonly key: string; readonly value: unknown }[] {
  const { targets } = readDocument(text).data as {
    readonly targets: readonly Readonly<Record<string, unknown>>[];
  };
  const entry = targets.find((each) => each['name'] === name) ?? {};
  if (entry['credentialsFile'] !== undefined) return [{ key: 'credentialsFile', value: file }];
  return entry['credentials'] === undefined ? [] : [{ key: 'credentials', value: { file } }];
}

/** Removes a target. No job may use the target. */
export function removeTarget(home: Home, name: string): Promise<Config> {
  return edit(home, [{ kind: 'remove', list: 'targets', name }]);
}

/** Adds a job, and its target if the target does not exist yet. Either both are added or neither. */
export function addJobWithTarget(home: Home, entries: JobWithTarget): Promise<Config> {
  return edit(home, additions(entries));
}

export interface JobWithTarget {
  readonly job: JobEntry;
  readonly target?: TargetEntry;
  /** The new value of `storage.port` in `config.yaml`. */
  readonly storagePort?: number;
}

function additions({ job, target, storagePort }: JobWithTarget): readonly Change[] {
  return [
    ...(storagePort === undefined
      ? []
      : [{ kind: 'section', section: 'storage', key: 'port', value: storagePort } as const]),
    ...(target ? [{ kind: 'add', list: 'targets', entry: target } as const] : []),
    { kind: 'add', list: 'jobs', entry: job },
  ];
}

/**
 * Edits the file. Edits by this process are serialized. A daemon owns its home folder, so no other Holdfast process
 * writes the file except `holdfast init`. `holdfast init` and a user with an editor take no lock, so the text is
 * compared again just before it is replaced.
 */
function edit(home: Home, changes: readonly Change[]): Promise<Config> {
  const before = running.get(home.configFile) ?? Promise.resolve();
  const done = before.then(() => editNow(home, changes));
  const settled = done.then(ignore, ignore);
  running.set(home.configFile, settled);
  return done;
}

const running = new Map<string, Promise<void>>();
const ignore = (): void => undefined;

interface Planned {
  readonly file: string;
  readonly text: string;
  readonly changed: string;
}

async function planned(home: Home, changes: readonly Change[]): Promise<Planned> {
  const file = await target(home.configFile);
  const text = await readConfigText(file);
  // This call throws if the file has errors, so that a file with errors is not changed.
  parseConfig(text, { file, home });
  let changed = text === '' ? FIRST_LINES : migrateSource(text);
  for (const change of changes) {
    const next = changeSource(changed, change);
    if (next === undefined) throw refused(file, unchangeable(change));
    if (change.kind === 'set' && changesOthers(changed, next, change)) {
      const reason = `another entry shares this ${change.key} by a YAML anchor (&) and would change too; first write the value into that entry`;
      throw refused(file, reason);
    }
    changed = next;
  }
  return { file, text, changed };
}

function unchangeable(change: Change): string {
  return change.kind === 'section'
    ? `${change.section} is an alias, so ${change.key} cannot be set there`
    : `the list ${change.list} has no such entry`;
}

/**
 * Returns whether a change would also affect other entries through a YAML anchor. Returns false for a text with syntax
 * errors. The caller reports them when it parses the text.
 */
function changesOthers(
  before: string,
  after: string,
  { list, name, key, value }: Extract<Change, { readonly kind: 'set' }>,
): boolean {
  const own = partsOfName(name)?.job ?? name;
  const [old, now] = [before, after].map((text) => {
    const { data, problems } = readDocument(text);
    const named = text === after && key === 'name' ? value : own;
    return problems.length > 0 ? undefined : withoutEntry(data, list, named);
  });
  return now !== undefined && !isDeepStrictEqual(old, now);
}

function withoutEntry(data: unknown, list: 'jobs' | 'targets', name: unknown): unknown {
  const all = data as Readonly<Record<string, unknown>>;
  const entries = all[list] as readonly { readonly name?: unknown }[];
  return { ...all, [list]: entries.filter((entry) => entry.name !== name) };
}

async function editNow(home: Home, changes: readonly Change[]): Promise<Config> {
  const { file, text, changed } = await planned(home, changes);
  const config = parseConfig(changed, { file, home });
  if (changed === text) return config;
  await writeAtomically(file, changed, async () => {
    if ((await readConfigText(file)) === text) return;
    throw refused(file, 'another program changed it at the same time; retry');
  });
  return config;
}

/** Resolves a symbolic link. Users who keep their settings in a repository often link to the file. */
async function target(file: string): Promise<string> {
  try {
    return await realpath(file);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return file;
    throw error;
  }
}

function refused(file: string, message: string): ConfigError {
  return new ConfigError(file, [{ message }], { verb: 'cannot change' });
}
