/** The tree as it was at a time: by the version list on one side, and as restore gives it back on the other. */

import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

import type { ControlClient } from '../../src/control/client.ts';
import { keysOf } from './folder-life.ts';
import { JOB } from './machines.ts';
import { byKey, describeHead, type Version } from './versions.ts';

/** The folder at a moment when all of it was in the bucket. */
export interface Quiet {
  /** By the service's clock. */
  readonly at: number;
  readonly keys: ReadonlyMap<string, string>;
}

export interface TimesContext {
  readonly client: ControlClient;
  readonly versions: readonly Version[];
  /** Restores go below it. */
  readonly folder: string;
}

/** Restores to the time, and compares with what the version list says was there. */
export async function judgeTime(at: number, context: TimesContext): Promise<string[]> {
  const expected = treeAt(at, context.versions);
  const { keys: restored, renamed } = await restoreAt(at, context);
  return compare(at, expected, restored, renamed);
}

/** Restores to a quiet moment: what was ours then is as the folder was, metadata and all. */
export async function judgeQuiet({ at, keys }: Quiet, context: TimesContext): Promise<string[]> {
  const expected = treeAt(at, context.versions);
  for (const [key, what] of expected)
    if (what !== THEIRS) expected.set(key, keys.get(key) ?? 'nothing');
  const { keys: restored, renamed } = await restoreAt(at, context);
  return compare(at, expected, restored, renamed);
}

const THEIRS = 'theirs';

/** Key → what its newest version by then says of itself. */
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
    // A file and a folder of one name: the file is written beside it, and the report says so.
    const is = restored.get(renamed.has(key) ? `${key}.file` : key);
    if (is === undefined && isFolderWithEntries(key, expected)) continue;
    if (is === undefined || (what !== THEIRS && is !== what))
      findings.push(`${JSON.stringify(key)} at ${at}: was ${what}, restored ${is ?? 'not'}`);
  }
  for (const key of restored.keys())
    if (!expected.has(key) && !renamed.has(key.replace(/\.file$/, '')))
      findings.push(`${JSON.stringify(key)} at ${at}: was not there, and is restored`);
  return findings;
}

/** Its object said what the keys below tell as well. */
function isFolderWithEntries(key: string, tree: ReadonlyMap<string, string>): boolean {
  return (
    key.endsWith('/') && [...tree.keys()].some((other) => other !== key && other.startsWith(key))
  );
}
