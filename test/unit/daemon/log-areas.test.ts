/**
 * Tests of log areas: each log line names its area, and each area can have a different log level.
 */

import { join } from 'node:path';

import { expect, test } from 'vitest';

import { openLog } from '../../../daemon/log/log.ts';
import { temporaryFolder } from '../../helpers/temporary-folder.ts';

test('the daemon logs an area at the level set for it, and writes the name of the level in each line', () => {
  const lines: Record<string, unknown>[] = [];
  const log = openLog({
    file: join(temporaryFolder('hf-log'), 'holdfast.log'),
    level: 'info',
    levels: { gateway: 'debug', client: 'error' },
    onLine: (line) => void lines.push(JSON.parse(line) as Record<string, unknown>),
  });
  const gateway = log.area('gateway');
  gateway.debug({ requestId: 'a1' }, 'request answered');
  log.area('client').warn({}, 'not logged');
  log.area('store').debug({}, 'not logged');
  log.area('store').info({}, 'logged');
  log.debug({}, 'not logged');
  log.info({}, 'started');
  log.close();
  expect(lines.map(({ level, area, msg }) => [level, area, msg])).toEqual([
    ['debug', 'gateway', 'request answered'],
    ['info', 'store', 'logged'],
    ['info', 'daemon', 'started'],
  ]);
});
