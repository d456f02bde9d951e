/**
 * Tests of the periodic evaluation of alarms. A failure is logged once until it changes or ends.
 */

import { join } from 'node:path';

import { expect, onTestFinished, test } from 'vitest';

import { type Logger, silentLogger } from '../../../src/base/logger.ts';
import { Rounds } from '../../../src/monitoring/rounds.ts';
import { Tables } from '../../../src/monitoring/tables.ts';
import { FakeClock } from '../../helpers/fake-clock.ts';
import { temporaryFolder } from '../../helpers/temporary-folder.ts';

test('the daemon logs a failure of every evaluation once, and again after it has changed or ended', () => {
  const tables = new Tables(join(temporaryFolder('rounds'), 'monitoring.sqlite'));
  const clock = new FakeClock();
  const logged: unknown[] = [];
  const logger: Logger = {
    ...silentLogger,
    error: (fields) => void logged.push((fields as { reason: string }).reason),
  };
  let failure: string | undefined = 'the disk is full';
  const rounds = new Rounds({
    tables,
    monitored: () => [{ seriesId: 1, bucketId: 1, name: 'box', monitored: true }],
    sample: () => {
      if (failure !== undefined) throw new Error(failure);
      return undefined;
    },
    change: () => undefined,
    clock,
    logger,
  });
  onTestFinished(() => {
    rounds.stop();
    tables.close();
  });
  rounds.plan();
  const minutes = (count: number) => {
    for (let minute = 0; minute < count; minute += 1) clock.advance(60_000);
    return [...logged];
  };
  expect(minutes(3)).toEqual(['the disk is full']);
  failure = 'the file is damaged';
  expect(minutes(3)).toEqual(['the disk is full', 'the file is damaged']);
  failure = undefined;
  minutes(2);
  failure = 'the file is damaged';
  expect(minutes(2)).toHaveLength(3);
});
