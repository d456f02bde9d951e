/** Restores the tree at an earlier time, and compares it with the tree that the version list implies for that time. */

import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

import type { ControlClient } from '../../src/control/client.ts';
import { keysOf } from './folder-life.ts';
import { JOB } from './machines.ts';
import { byKey, describeHead, type Version } from './versions.ts';

/** The folder's state at a time when the bucket contained all of its files. */
export interface Quiet {
  /** The time in milliseconds, according to the service's clock. */
  readonly at: number;
  readonly keys: ReadonlyMap<string, string>;
}

export interface TimesContext {
  readonly client: ControlClient;
  readonly versions: readonly Version[];
  /** The path of the folder for restores. */
  readonly folder: string;
}

/** Restores the tree at a time, and compares it with the version list. */
export async function judgeTime(at: number, context: TimesContext): Promise<string[]> {
  const expected = treeAt(at, context.versions);
  const { keys: restored, renamed } = await restoreAt(at, context);
  return compare(at, expected, restored, renamed);
}

/**
 * Restores the tree at a time without pending changes. The restored files must equal the files in the folder at that
 * time, including metadata.
 */
export async function judgeQuiet({ at, keys }: Quiet, context: TimesContext): Promise<string[]> {
  const expected = treeAt(at, context.versions);
  for (const [key, what] of expected)
    if (what !== THEIRS) expected.set(key, keys.get(key) ?? 'nothing');
  const { keys: restored, renamed } = await restoreAt(at, context);
  return compare(at, expected, restored, renamed);
}

const THEIRS = 'theirs';

/** Returns a description of each key's current version at a time. */
function treeAt(at: number, versions: readonly Version[]): Map<string, string> {
  const tree = new Map<string, string>();
  for (const [key, history] of byKey(versions)) {
    const version = history.find(({ lastModifiedAt }) => lastModifiedAt <= at);
    if (version?.kind !== 'version') continue;
    tree.set(key, version.journalId === undefined ? THEIRS : describeHead(version));
  }
  return tree;
}

async function restoreAt(at: number, { client, folder }: TimesContext) {
  const to = join(folder, `at-${at}`);
  mkdirSync(to);
  try {
    const id = `soak-${at}`;
    const { problems } = await client.call('restore.run', { job: JOB, to, at, id });
    const renamed = new Set(problems.map(({ path }) => path));
    return { keys: keysOf(to), renamed };
  } finally {
    rmSync(to, { recursive: true, force: true });
  }
}

function compare(
  at: number,
  expected: ReadonlyMap<string, string>,
  restored: ReadonlyMap<string, string>,
  renamed: ReadonlySet<string>,
): string[] {
  const findings: string[] = [];
  for (const [key, what] of expected) {
    // If a file and a folder have the same name, the file is restored as `NAME.file`, and the report mentions it.
    const is = restored.get(renamed.has(key) ? `${key}.file` : key);
    if (is === undefined && isFolderWithEntries(key, expected)) continue;
    if (is === undefined || (what !== THEIRS && is !== what))
      findings.push(`${JSON.stringify(key)} at ${at}: was ${what}, restored ${is ?? 'not'}`);
  }
  for (const key of restored.keys())
    if (!expected.has(key) && !renamed.has(key.replace(/\.file$/, '')))
      findings.push(`${JSON.stringify(key)} at ${at}: did not exist, but was restored`);
  return findings;
}

/**
 * Returns whether the key is a folder with entries. A restore does not need the folder's own object, because the keys
 * below the folder imply it.
 */
function isFolderWithEntries(key: string, tree: ReadonlyMap<string, string>): boolean {
  return (
    key.endsWith('/') && [...tree.keys()].some((other) => other !== key && other.startsWith(key))
  );
}
