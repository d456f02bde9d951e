/** Tests of the job status, which states whether a folder is in sync with its bucket. */

import { describe, expect, it, test } from 'vitest';

import { JobPhase } from '../../../src/mirror/job-phase.ts';
import { describeStatus } from '../../../src/mirror/status.ts';
import { Tracker } from '../../../src/mirror/model/tracker.ts';
import { FakeClock } from '../../helpers/fake-clock.ts';

function phase() {
  const each = new JobPhase(new FakeClock(), () => undefined);
  const tracker = new Tracker({ onChange: () => undefined, onActivity: () => undefined });
  const status = (heldDeletes = 0) =>
    describeStatus({
      ...each.parts(),
      since: [],
      now: 0,
      counts: tracker.counts({
        files: 1,
        bytes: 1,
        problems: [...tracker.allProblems()].length,
        openConflicts: 0,
        heldDeletes,
        hinted: 0,
      }),
      heldDeletes: heldDeletes === 0 ? undefined : `${heldDeletes} deletes are held`,
      problems: [...tracker.allProblems()],
      coverage: undefined,
      warnings: [],
    });
  return { each, tracker, status };
}

describe('the status of a job without pending work', () => {
  it('the job status reports a new job as in sync only after its first sync round ends', () => {
    const { each, status } = phase();
    expect(status()).toMatchObject({ state: 'starting', inSync: false });
    each.setScanning(true);
    each.setScanning(false);
    expect(status()).toMatchObject({ inSync: false });
    each.roundFinished('full', 'full round');
    expect(status()).toMatchObject({ state: 'watching', inSync: true });
  });

  it.each([{ state: 'failed' }, { state: 'paused' }] as const)(
    'the job status does not report a job as in sync directly after it leaves the state $state',
    (standstill) => {
      const { each, status } = phase();
      each.roundFinished('full', 'full round');
      each.setStandstill(standstill);
      each.setStandstill(undefined);
      expect(status()).toMatchObject({ state: 'starting', inSync: false });
    },
  );
});

test('the job status keeps the time of the last full sync round when a sync round for single file events ends', () => {
  const clock = new FakeClock();
  const each = new JobPhase(clock, () => undefined);
  each.roundFinished('event', 'event round');
  expect(each.parts()).toMatchObject({ lastFullRoundAt: undefined });
  each.roundFinished('listing', 'full round with bucket listing');
  const at = clock.now();
  clock.advance(1_000);
  each.roundFinished('event', 'event round');
  expect(each.parts()).toMatchObject({ lastFullRoundAt: at, lastRound: { at: at + 1_000 } });
});

describe('the status of a job without transfers in progress', () => {
  it.each<[string, (tracker: Tracker) => void]>([
    ['has a file whose change is held for review', (tracker) => tracker.setHeld('f', true)],
    ['has an object that another client changed', (tracker) => tracker.setDrifted('f', true)],
    [
      'has a file that the service refused',
      (tracker) => tracker.setProblem({ path: 'f', code: 'refused', message: '' }),
    ],
  ])(
    'the job status does not report a job without transfers as in sync while it %s',
    (_, happens) => {
      const { each, tracker, status } = phase();
      each.roundFinished('full', 'full round');
      happens(tracker);
      expect(status()).toMatchObject({ state: 'watching', inSync: false });
    },
  );

  it('the job status reports a job with held deletes in the state held and not in sync', () => {
    const { each, status } = phase();
    each.roundFinished('full', 'full round');
    const reason = '3 deletes are held';
    expect(status(3)).toMatchObject({ state: 'held', reason, inSync: false, counts: { held: 3 } });
    expect(status(0)).toMatchObject({ state: 'watching', inSync: true });
  });

  it('the job status reports a job as in sync even if one of its objects is not locked', () => {
    const { each, tracker, status } = phase();
    each.roundFinished('full', 'full round');
    tracker.setProblem({ path: 'f', code: 'not-locked', message: '' });
    expect(status()).toMatchObject({ state: 'watching', inSync: true });
  });
});
