/** Tests of the log areas: each line names its area, and each area has its own level. */

import { join } from 'node:path';

import { expect, test } from 'vitest';

import { openLog } from '../../../daemon/log/log.ts';
import { temporaryFolder } from '../../helpers/temporary-folder.ts';

test('an area with its own log level uses it, and each line has the name of its level', () => {
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
