/**
 * Tests of uploads that are interrupted while another client writes the same key. The conflict log must list each
 * version of the other client that the job superseded exactly once, and no other version.
 */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { defined } from '../../src/base/defined.ts';
import { openStateFile } from '../../src/mirror/state/state-file.ts';
import {
  type Fault,
  faultyStore,
  hangsAfterWriting,
  hangsBeforeSending,
} from '../helpers/faulty-store.ts';
import { type MirrorBench, openMirrorBench } from '../helpers/mirror-bench.ts';
import { judgeLedger } from '../soak/judge.ts';
import type { Version } from '../soak/versions.ts';

const STOPS: Record<string, Fault> = {
  'before the request is sent': hangsBeforeSending,
  'after the write, before its answer': hangsAfterWriting,
};
const MOMENTS = ['before the upload', 'while it is stopped', 'after the restart'] as const;
type Moment = (typeof MOMENTS)[number];

const CASES = Object.keys(STOPS).flatMap((stop) =>
  ([undefined, ...MOMENTS] as const).flatMap((foreign) =>
    MOMENTS.slice(1).map((save) => ({ stop, foreign: foreign ?? 'never', save })),
  ),
);

async function versionsOf({ store, bucket }: MirrorBench, key: string): Promise<Version[]> {
  const { versions } = await store.listVersions({ bucket, prefix: key });
  const described: Version[] = [];
  for (const version of versions) {
    const { info } = await store.headObject({ bucket, key, versionId: version.versionId });
    const { metadata = {} } = info;
    described.push({
      ...version,
      metadata,
      ...defined({ journalId: metadata['holdfast-journal'] }),
    });
  }
  return described;
}

function recorded({ home }: MirrorBench): string[] {
  const state = openStateFile(join(home, 'state', 'state.sqlite'));
  const entries = state.conflicts.page({ key: '', id: '' }, 100, true);
  state.close();
  return entries.map(({ versionId }) => String(versionId));
}

/** Stops the job during an upload. With `isCovering`, during the upload that overwrites another client's version. */
async function stopDuring(bench: MirrorBench, stop: string, isCovering: boolean): Promise<void> {
  const faulty = faultyStore(bench.store);
  const mirror = await bench.open({ store: faulty.store });
  await mirror.settled();
  if (isCovering) {
    await bench.writeForeign('f', 'theirs');
    void faulty.inject({ on: 'putObject', key: 'f', fault: ({ run }) => run() });
  }
  const met = faulty.inject({
    on: 'putObject',
    key: 'f',
    fault: STOPS[stop] ?? hangsBeforeSending,
  });
  writeFileSync(join(bench.root, 'f'), 'second');
  await met;
  await mirror.close();
}

test.each(CASES)(
  'the conflict log lists each conflict once: upload stopped $stop, other client writes $foreign, file saved $save',
  async ({ stop, foreign, save }) => {
    const bench = await openMirrorBench();
    writeFileSync(join(bench.root, 'f'), 'first');
    writeFileSync(join(bench.root, 'other'), 'first');
    await stopDuring(bench, stop, foreign === 'before the upload');
    const act = async (moment: Moment) => {
      if (foreign === moment) await bench.writeForeign('f', 'theirs');
      if (save === moment) writeFileSync(join(bench.root, 'f'), 'third');
    };
    await act('while it is stopped');
    const mirror = await bench.open();
    await mirror.settled();
    await act('after the restart');
    await mirror.settled();
    await mirror.runNow();
    await mirror.close();
    const versions = await versionsOf(bench, 'f');
    expect(judgeLedger(versions, recorded(bench))).toEqual([]);
    expect(await bench.history('f')).toContain('put third');
    expect(versions.filter(({ journalId }) => journalId === undefined)).toHaveLength(
      foreign === 'never' ? 0 : 1,
    );
  },
);
