/** Runs all checks on the result of a soak run. */

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';

import { defined } from '../../src/base/defined.ts';
import type { ControlClient } from '../../src/control/client.ts';
import { runCliProcess } from '../helpers/cli-process.ts';
import type { Audited } from './auditor.ts';
import { Dice } from './dice.ts';
import { type FolderLife, keysOf } from './folder-life.ts';
import type { ForeignLife } from './foreign-life.ts';
import type { History } from './history.ts';
import {
  findDuplicates,
  judgeAcknowledged,
  judgeContents,
  judgeLedger,
  judgeSaved,
  theirKeys,
} from './judge.ts';
import { JOB, type Machines } from './machines.ts';
import { judgeQuiet, judgeTime, type Quiet } from './times.ts';
import { readVersions, type Version } from './versions.ts';
import type { Witness } from './witness.ts';

export interface Evidence {
  readonly seed: number;
  readonly machines: Machines;
  readonly folder: FolderLife;
  readonly foreign: ForeignLife;
  readonly witness: Witness;
  readonly quiet: readonly Quiet[];
  readonly history: History;
  /** The number of random times whose state is restored. */
  readonly times: number;
  /** The path of a folder for restores and for the tools' files. */
  readonly scratch: string;
  readonly audit?: (what: Audited) => Promise<readonly string[]>;
}

export interface Counts {
  readonly versions: number;
  readonly acknowledged: number;
  readonly covered: number;
  readonly restores: number;
  /**
   * The number of the job's versions that equal the next older version. They occur if a request was in flight during a
   * failure.
   */
  readonly sentTwice: number;
}

export interface Verdict {
  readonly findings: readonly string[];
  readonly counts: Counts;
}

/** Runs all checks. The daemons must be running, and keep running afterwards. */
export async function judgeAll(evidence: Evidence): Promise<Verdict> {
  const { machines, folder, history } = evidence;
  const versions = await readVersions(machines.owner);
  history.add('judge', `reads ${versions.length} versions`);
  const had = (content: string) => folder.had(content);
  const findings = [
    ...(await judgeContents(machines.owner, versions, had)),
    ...(await auditAll(versions, evidence)),
  ];
  const isVersioned = machines.bucket !== 'unversioned';
  const kept = isVersioned ? judgeVersions(versions, evidence) : judgeUnversioned(evidence);
  const { findings: more, counts } = await kept;
  const damaged = await checkStore(machines);
  history.add('judge', `checked the store: ${damaged.length === 0 ? 'no problems' : 'problems'}`);
  return {
    findings: [...findings, ...more, ...damaged],
    counts: { ...counts, versions: versions.length },
  };
}

/** Checks every byte of the store. Returns the report if it contains problems. */
async function checkStore({ serviceHome }: Machines): Promise<string[]> {
  const command = ['admin', 'store', 'check', '--deep'];
  const { exitCode, stdout, stderr } = await runCliProcess([...command, '--home', serviceHome]);
  return exitCode === 0 ? [] : [`holdfast ${command.join(' ')}: ${stdout}${stderr}`];
}

/** Checks a bucket without versioning. Its only older objects are the copies that the job saved. */
async function judgeUnversioned({ machines, foreign }: Evidence): Promise<Verdict> {
  const lastPuts = foreign.lastContents();
  const findings = await judgeSaved(machines.owner, lastPuts);
  const counts = { versions: 0, covered: 0, restores: 0, sentTwice: 0 };
  return { findings, counts: { ...counts, acknowledged: lastPuts.size } };
}

async function judgeVersions(versions: readonly Version[], evidence: Evidence): Promise<Verdict> {
  const { machines, foreign, witness, times, quiet } = evidence;
  const restored = await judgeTimes(versions, evidence);
  // After a kill, the state database shows which versions the job had recorded as uploaded.
  await machines.kill();
  await machines.start();
  const acknowledged = [...machines.acknowledged.values(), ...foreign.acknowledged];
  const ledger = await readLedger(machines.client);
  const sentTwice = findDuplicates(versions);
  const findings = [
    ...witness.judge(versions),
    ...restored,
    ...(await judgeAcknowledged(machines.owner, acknowledged)),
    ...judgeLedger(versions, ledger),
    ...judgeSentTwice(sentTwice, evidence),
  ];
  const counts = {
    versions: versions.length,
    acknowledged: acknowledged.length,
    covered: ledger.length,
    restores: times + quiet.length,
    sentTwice: sentTwice.length,
  };
  return { findings, counts };
}

async function judgeTimes(versions: readonly Version[], evidence: Evidence): Promise<string[]> {
  const { machines, history, times, quiet, seed } = evidence;
  const folder = join(evidence.scratch, 'restores');
  mkdirSync(folder);
  history.add('judge', `restores ${times} times`);
  const context = { client: machines.client, versions, folder };
  const findings: string[] = [];
  for (const each of quiet) findings.push(...(await judgeQuiet(each, context)));
  for (const at of someTimes(versions, times, new Dice(seed + 6)))
    findings.push(...(await judgeTime(at, context)));
  return findings;
}

/**
 * Checks that there are at most as many repeated uploads as failures. A request that is in flight during a failure may
 * be repeated, although the upload journal prevents nearly all repetitions.
 */
function judgeSentTwice(sentTwice: readonly string[], { history }: Evidence): string[] {
  for (const each of sentTwice) history.add('judge', `sent twice: ${each}`);
  const troubles = history.count('chaos');
  if (sentTwice.length <= troubles) return [];
  return [`${sentTwice.length} uploads were needless, in ${troubles} failures`];
}

async function auditAll(
  versions: readonly Version[],
  { audit, machines, scratch }: Evidence,
): Promise<readonly string[]> {
  if (!audit) return [];
  const { root, credentials } = machines;
  const keys = keysOf(root);
  const theirs = theirKeys(versions, keys);
  return audit({ root, keys, theirs, credentials, folder: join(scratch, 'audit') });
}

/** Returns random times between the first and the last version, and times at or just before a version. */
function someTimes(versions: readonly Version[], count: number, dice: Dice): number[] {
  const moments = versions.map(({ lastModifiedAt }) => lastModifiedAt).sort((a, b) => a - b);
  const [first = 0, last = 0] = [moments[0], moments.at(-1)];
  const times = new Set<number>();
  for (let left = 4 * count; left > 0 && times.size < count; left -= 1) {
    const edge = (dice.pick(moments) ?? first) - dice.below(2);
    times.add(dice.below(2) === 0 ? edge : Math.floor(dice.between(first, last)));
  }
  return [...times];
}

/** Reads the conflict log, and returns the ids of the versions that the job overwrote. */
async function readLedger(client: ControlClient): Promise<string[]> {
  const ids: string[] = [];
  let after: string | undefined;
  do {
    const page = { job: JOB, limit: 1000, all: true, ...defined({ after }) };
    const { conflicts, next } = await client.call('conflicts.list', page);
    for (const { state, side, versionId } of conflicts)
      if (state !== 'held' && side === 'bucket') ids.push(versionId ?? 'no version');
    after = next;
  } while (after !== undefined);
  return ids;
}
