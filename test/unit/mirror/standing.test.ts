import { describe, expect, it } from 'vitest';

import { Standing } from '../../../src/mirror/standing.ts';
import { describeStatus } from '../../../src/mirror/status.ts';
import { Tracker } from '../../../src/mirror/tracker.ts';
import { FakeClock } from '../../helpers/fake-clock.ts';

function standing() {
  const each = new Standing(new FakeClock(), () => undefined);
  const tracker = new Tracker({ onChange: () => undefined, onActivity: () => undefined });
  const status = () =>
    describeStatus({
      ...each.parts(),
      oldestSince: undefined,
      now: 0,
      counts: tracker.counts({ files: 1, bytes: 1 }, 0, 0),
      problems: [],
      coverage: undefined,
      warnings: [],
    });
  return { each, status };
}

describe('a job with nothing known to be left to do', () => {
  it('is in sync only once a round is over', () => {
    const { each, status } = standing();
    expect(status()).toMatchObject({ state: 'starting', inSync: false });
    each.setScanning(true);
    each.setScanning(false);
    expect(status()).toMatchObject({ inSync: false });
    each.roundIsOver('full round');
    expect(status()).toMatchObject({ state: 'watching', inSync: true });
  });

  it.each([{ state: 'failed' }, { state: 'paused' }] as const)(
    'is not in sync when it goes on after $state, before it has looked again',
    (standstill) => {
      const { each, status } = standing();
      each.roundIsOver('full round');
      each.standStill(standstill);
      each.standStill(undefined);
      expect(status()).toMatchObject({ state: 'starting', inSync: false });
    },
  );
});
