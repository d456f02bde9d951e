/** Tests of the history of sync rounds in a job's state database. */

import { join } from 'node:path';

import { describe, expect, it, onTestFinished } from 'vitest';

import { defined } from '../../../src/base/defined.ts';
import { RoundHistory } from '../../../src/mirror/rounds/round-history.ts';
import type { FinishedRound } from '../../../src/mirror/model/round-record.ts';
import { openStateFile } from '../../../src/mirror/state/state-file.ts';
import { Tracker } from '../../../src/mirror/model/tracker.ts';
import { temporaryFolder } from '../../helpers/temporary-folder.ts';

const MINUTE = 60_000;

function job() {
  const path = join(temporaryFolder('rounds'), 'state.sqlite');
  const state = openStateFile(path);
  onTestFinished(() => state.close());
  const tracker = new Tracker({ onChange: () => undefined, onActivity: () => undefined });
  const history = new RoundHistory(state, tracker);
  const over = (kind: FinishedRound['kind'], at: number, actions = 1) =>
    history.over({ kind, startedAt: at, endedAt: at + 10, actions });
  const rows = (limit = 10, before?: number) =>
    history
      .page({ limit, ...defined({ before }) })
      .map(({ kind, rounds, actions, versions }) => ({ kind, rounds, actions, versions }));
  return { state, tracker, history, over, rows };
}

describe('the history of sync rounds', () => {
  it('the history records a full sync round with the uploads and deletes until the round ended', () => {
    const { tracker, history, over } = job();
    tracker.countUpload(5);
    tracker.countDelete();
    over('listing', 0, 2);
    expect(history.page({ limit: 10 })).toEqual([
      {
        number: 1,
        kind: 'listing',
        rounds: 1,
        startedAt: 0,
        endedAt: 10,
        actions: 2,
        versions: 1,
        bytes: 5,
        deletes: 1,
      },
    ]);
  });

  it('the history counts an upload that ends after its sync round for that round', () => {
    const { tracker, over, rows } = job();
    over('event', 0);
    tracker.countUpload(5);
    expect(rows()).toEqual([{ kind: 'event', rounds: 1, actions: 1, versions: 1 }]);
    tracker.countUpload(5);
    over('full', 2 * MINUTE, 0);
    expect(rows().map(({ versions }) => versions)).toEqual([0, 2]);
  });

  it('the history does not count the transfers of a full sync round for an earlier round', () => {
    const { tracker, over, rows } = job();
    over('event', 0);
    tracker.begin('k', { since: 0, sizeBytes: 1 });
    tracker.countUpload(5);
    expect(rows().map(({ versions }) => versions)).toEqual([0]);
    tracker.end('k');
    over('full', 2 * MINUTE, 1);
    expect(rows().map(({ versions }) => versions)).toEqual([1, 0]);
  });

  it('the stored history has the uploads of the last sync round as soon as the job is idle', () => {
    const { state, tracker, history, over } = job();
    over('event', 0);
    tracker.begin('k', { since: 0, sizeBytes: 5 });
    tracker.countUpload(5);
    history.credit();
    expect(state.rounds.page({ limit: 1 })[0]?.versions).toBe(0);
    tracker.end('k');
    history.credit();
    history.credit();
    expect(state.rounds.page({ limit: 1 })[0]?.versions).toBe(1);
  });

  it('the history can omit sync rounds without uploads and deletes', () => {
    const { tracker, history, over } = job();
    tracker.countDelete();
    over('full', 0);
    for (let index = 1; index < 30; index += 1) over('full', index * MINUTE, 0);
    const changed = history.page({ limit: 20, onlyChanges: true });
    expect(changed.map(({ number }) => number)).toEqual([1]);
  });

  it('the history combines the sync rounds for file events within one minute into one row', () => {
    const { over, rows } = job();
    for (const at of [0, 10_000, 59_000, 61_000]) over('event', at);
    over('full', 62_000);
    over('event', 62_500);
    expect(rows().map(({ kind, rounds }) => `${kind} ${rounds}`)).toEqual([
      'event 1',
      'full 1',
      'event 1',
      'event 3',
    ]);
  });

  it('the history returns its sync rounds in pages and keeps only the latest 2,000', () => {
    const { state, history, over } = job();
    for (let index = 0; index < 2_005; index += 1) over('full', index * MINUTE);
    const [newest] = history.page({ limit: 1 });
    expect(newest?.number).toBe(2_005);
    expect(
      history.page({ limit: 2, before: newest?.number ?? 0 }).map(({ number }) => number),
    ).toEqual([2_004, 2_003]);
    expect(state.rounds.page({ limit: 5_000 })).toHaveLength(2_000);
  });
});
