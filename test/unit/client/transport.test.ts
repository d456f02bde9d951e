import { expect, test } from 'vitest';

import { systemClock } from '../../../src/base/clock.ts';
import { TIMEOUTS } from '../../../src/client/limits.ts';
import { Transport } from '../../../src/client/transport.ts';

const ORIGIN = 'http://127.0.0.1:9';

function request(transport: Transport) {
  return transport.exchange({
    method: 'GET',
    address: { origin: ORIGIN, host: '127.0.0.1:9', path: '/' },
    query: '',
    headers: [],
    content: undefined,
    deadlineMs: 1_000,
    answerIsSmall: true,
    signal: undefined,
  });
}

test('closing a transport fails pending and later requests with ConnectionLost', async () => {
  const transport = new Transport({ origin: ORIGIN, timeouts: TIMEOUTS, clock: systemClock });
  const [sent, closed] = await Promise.allSettled([request(transport), transport.close()]);
  expect(sent).toMatchObject({ status: 'rejected', reason: { code: 'ConnectionLost' } });
  expect(closed).toMatchObject({ status: 'fulfilled' });
  await expect(request(transport)).rejects.toMatchObject({ code: 'ConnectionLost' });
  await transport.close();
});
