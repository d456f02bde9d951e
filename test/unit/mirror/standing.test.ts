import { describe, expect, it } from 'vitest';

import { Standing } from '../../../src/mirror/standing.ts';
import { describeStatus } from '../../../src/mirror/status.ts';
import { Tracker } from '../../../src/mirror/model/activity.ts';
import { FakeClock } from '../../helpers/fake-clock.ts';

function standing() {
  const each = new Standing(new FakeClock(), () => undefined);
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

describe('a job with nothing known to be left to do', () => {
  it('is in sync only once a round is over', () => {
    const { each, status } = standing();
    expect(status()).toMatchObject({ state: 'starting', inSync: false });
    each.setScanning(true);
    each.setScanning(false);
    expect(status()).toMatchObject({ inSync: false });
    each.roundFinished('full round');
    expect(status()).toMatchObject({ state: 'watching', inSync: true });
  });

  it.each([{ state: 'failed' }, { state: 'paused' }] as const)(
    'is not in sync when it goes on after $state, before it has looked again',
    (standstill) => {
      const { each, status } = standing();
      each.roundFinished('full round');
      each.setStandstill(standstill);
      each.setStandstill(undefined);
      expect(status()).toMatchObject({ state: 'starting', inSync: false });
    },
  );
});

describe('a job with nothing under way', () => {
  it.each<[string, (tracker: Tracker) => void]>([
    ['holds a file', (tracker) => tracker.setHeld('f', true)],
    ['shows drift', (tracker) => tracker.setDrifted('f', true)],
    ['is refused', (tracker) => tracker.setProblem({ path: 'f', code: 'refused', message: '' })],
  ])('is not in sync while it %s', (_, happens) => {
    const { each, tracker, status } = standing();
    each.roundFinished('full round');
    happens(tracker);
    expect(status()).toMatchObject({ state: 'watching', inSync: false });
  });

  it('is held, and not in sync, while it holds deletes', () => {
    const { each, status } = standing();
    each.roundFinished('full round');
    const reason = '3 deletes are held';
    expect(status(3)).toMatchObject({ state: 'held', reason, inSync: false, counts: { held: 3 } });
    expect(status(0)).toMatchObject({ state: 'watching', inSync: true });
  });

  it('is in sync beside an object that waits for its lock', () => {
    const { each, tracker, status } = standing();
    each.roundFinished('full round');
    tracker.setProblem({ path: 'f', code: 'not-locked', message: '' });
    expect(status()).toMatchObject({ state: 'watching', inSync: true });
  });
});
