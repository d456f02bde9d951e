/**
 * Tests each combination of a local change and a change in the bucket. Each combination has its own
 * key in the same job, and both changes happen while the job is closed. The table contains the
 * expected versions for each conflict policy.
 */

import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { openStateFile } from '../../src/mirror/state/state-file.ts';
import type { LockPolicy, MirrorJob } from '../../src/mirror/model/types.ts';
import { bytesBody } from '../../src/object-store/body.ts';
import type { ListedVersion } from '../../src/object-store/listing.ts';
import type { MirrorBench } from './mirror-bench.ts';
import { sha256 } from './tree.ts';

type Local = 'unchanged' | 'changed' | 'deleted' | 'new' | 'excluded' | 'none';
type Head = 'as synced' | 'foreign' | 'equal' | 'gone' | 'absent';
type Policy = 'keep-both' | 'enforce' | 'remote' | 'ask';

interface Cell {
  readonly local: Local;
  readonly head: Head;
  /**
   * Expected versions for each conflict policy. If a policy has no entry, the versions of
   * `keep-both` are expected.
   */
  readonly becomes: Partial<Record<Policy, string>> & { readonly 'keep-both': string };
}

/**
 * Expected versions for each combination, oldest first. The contents `first` and `second` come from
 * the folder, `theirs` comes from another client, and `–` is a delete marker.
 */
const CELLS: readonly Cell[] = [
  { local: 'unchanged', head: 'as synced', becomes: { 'keep-both': 'first' } },
  {
    local: 'unchanged',
    head: 'foreign',
    becomes: { 'keep-both': 'first theirs', enforce: 'first theirs first' },
  },
  { local: 'unchanged', head: 'gone', becomes: { 'keep-both': 'first – first' } },
  { local: 'changed', head: 'as synced', becomes: { 'keep-both': 'first second' } },
  {
    local: 'changed',
    head: 'foreign',
    becomes: { 'keep-both': 'first theirs second', remote: 'first theirs', ask: 'first theirs' },
  },
  { local: 'changed', head: 'equal', becomes: { 'keep-both': 'first second' } },
  { local: 'changed', head: 'gone', becomes: { 'keep-both': 'first – second' } },
  { local: 'deleted', head: 'as synced', becomes: { 'keep-both': 'first –' } },
  { local: 'deleted', head: 'foreign', becomes: { 'keep-both': 'first theirs' } },
  { local: 'deleted', head: 'gone', becomes: { 'keep-both': 'first –' } },
  { local: 'new', head: 'absent', becomes: { 'keep-both': 'second' } },
  {
    local: 'new',
    head: 'foreign',
    becomes: { 'keep-both': 'theirs second', remote: 'theirs', ask: 'theirs' },
  },
  { local: 'new', head: 'equal', becomes: { 'keep-both': 'second' } },
  { local: 'new', head: 'gone', becomes: { 'keep-both': 'theirs – second' } },
  { local: 'excluded', head: 'as synced', becomes: { 'keep-both': 'first' } },
  { local: 'excluded', head: 'foreign', becomes: { 'keep-both': 'first theirs' } },
  { local: 'excluded', head: 'gone', becomes: { 'keep-both': 'first –' } },
  { local: 'none', head: 'foreign', becomes: { 'keep-both': 'theirs' } },
];

/**
 * Metadata by which the mirror recognizes that the object's content is equal to the file. The
 * mirror does not compare ETags for this.
 */
const KNOWN_CONTENT = { metadata: { 'holdfast-sha256': sha256(Buffer.from('second')) } };

const keyOf = ({ local, head }: Cell) => `${local} ${head}`;
const hasBaseline = ({ local }: Cell) => local !== 'new' && local !== 'none';

const JOBS: Readonly<Record<Policy, Partial<MirrorJob>>> = {
  'keep-both': {},
  enforce: { conflict: 'local', drift: 'enforce' },
  remote: { conflict: 'remote' },
  ask: { conflict: 'ask' },
};

export const POLICIES = Object.keys(JOBS) as readonly Policy[];

export interface MatrixOutcome {
  /** Versions of each combination, oldest first. */
  readonly versions: Readonly<Record<string, string>>;
  /**
   * Combinations in which the mirror replaced a version of another client. The versions in the
   * bucket and the conflict log must agree on them.
   */
  readonly covered: readonly string[];
  readonly ledger: readonly string[];
  /**
   * Versions without a lock, although the job sets locks. Includes versions that the job replaced.
   */
  readonly unlocked: readonly string[];
}

export function expectedVersions(policy: Policy): Record<string, string> {
  return Object.fromEntries(
    CELLS.map((cell) => [keyOf(cell), cell.becomes[policy] ?? cell.becomes['keep-both']]),
  );
}

export async function runMatrix(
  bench: MirrorBench,
  policy: Policy,
  { lock, ...open }: Parameters<MirrorBench['open']>[0] & { readonly lock?: LockPolicy } = {},
): Promise<MatrixOutcome> {
  const job = { ...JOBS[policy], ...(lock && { lock }), ...open };
  const path = (cell: Cell) => join(bench.root, keyOf(cell));
  for (const cell of CELLS) if (hasBaseline(cell)) writeFileSync(path(cell), 'first');
  const before = await bench.open(job);
  await before.settled();
  await before.close();
  for (const cell of CELLS) {
    await changeHead(bench, cell);
    if (cell.local === 'deleted') rmSync(path(cell));
    if (cell.local === 'changed' || cell.local === 'new') writeFileSync(path(cell), 'second');
  }
  const mirror = await bench.open({ ...job, exclude: ['excluded *'] });
  await mirror.settled();
  // The second round must have nothing to do.
  await mirror.runNow();
  await mirror.close();
  return readOutcome(bench, lock !== undefined);
}

async function changeHead(bench: MirrorBench, cell: Cell): Promise<void> {
  const { store, bucket } = bench;
  const key = keyOf(cell);
  switch (cell.head) {
    case 'foreign':
      return bench.writeForeign(key, 'theirs');
    case 'equal':
      await store.putObject({ bucket, key, body: bytesBody('second'), attributes: KNOWN_CONTENT });
      return;
    case 'gone':
      if (!hasBaseline(cell)) await bench.writeForeign(key, 'theirs');
      await store.deleteObject({ bucket, key });
      return;
    default:
  }
}

async function readOutcome(bench: MirrorBench, isLocked: boolean): Promise<MatrixOutcome> {
  const versions: Record<string, string> = {};
  const covered: string[] = [];
  const unlocked: string[] = [];
  for (const cell of CELLS) {
    const key = keyOf(cell);
    const history = await bench.history(key);
    versions[key] = history
      .map((each) => each.replace('put ', '').replace('marker', '–'))
      .join(' ');
    const listed = await versionsOf(bench, key);
    for (const [index, version] of listed.entries()) {
      if (version.kind !== 'version') continue;
      const { isOurs, isRetained } = await lookAt(bench, version);
      const isCovered = !isOurs && listed[index - 1]?.kind === 'version';
      if (isCovered) covered.push(`${key} ${version.versionId}`);
      if (isLocked && (isOurs || isCovered) && !isRetained) unlocked.push(key);
    }
  }
  return { versions, covered: covered.sort(), ledger: ledgerOf(bench).sort(), unlocked };
}

async function versionsOf(
  { store, bucket }: MirrorBench,
  key: string,
): Promise<readonly ListedVersion[]> {
  const { versions } = await store.listVersions({ bucket, prefix: key });
  return versions.filter((version) => version.key === key);
}

async function lookAt({ store, bucket }: MirrorBench, { key, versionId }: ListedVersion) {
  const { info } = await store.headObject({ bucket, key, versionId });
  return {
    isOurs: info.metadata?.['holdfast-journal'] !== undefined,
    isRetained: (info.retention?.retainUntil ?? 0) > Date.now(),
  };
}

function ledgerOf({ home }: MirrorBench): string[] {
  const state = openStateFile(join(home, 'state', 'state.sqlite'));
  const entries = state.conflicts.page({ key: '', id: '' }, 1_000, true);
  state.close();
  return entries
    .filter(({ side }) => side === 'bucket')
    .map(({ key, versionId }) => `${key} ${versionId}`);
}
