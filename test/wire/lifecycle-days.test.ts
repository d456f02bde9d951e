/** Tests of lifecycle rules with a shortened day, which is a test mode of the service. */

import { expect, test } from 'vitest';

import { until } from '../helpers/until.ts';
import { WireBench } from '../helpers/wire-bench.ts';
import { inBothDialects } from '../helpers/wire.ts';

const DAY_MS = 10_000;
const bench = new WireBench({ upkeep: { lifecycleDayMs: DAY_MS } });

inBothDialects(bench, (wire) => {
  test('[lc-61] if the configuration shortens a lifecycle day to 10 seconds, a one-day rule expires objects in seconds', async () => {
    const rule = '<ID>daily</ID><Filter/><Status>Enabled</Status><Expiration><Days>1</Days>';
    const body = `<LifecycleConfiguration><Rule>${rule}</Expiration></Rule></LifecycleConfiguration>`;
    expect((await wire.send('PUT /{box}?lifecycle', { body })).status).toBe(200);
    const put = await wire.ask('PUT /{box}/k', { body: 'x' });
    const uploadedAt = bench.clock.now();
    const expiresAt = new Date(Math.ceil(uploadedAt / DAY_MS) * DAY_MS + DAY_MS);
    expect(put.headers).toMatchObject({
      'x-*-expiration': `expiry-date="${expiresAt.toUTCString()}", rule-id="daily"`,
    });
    expect((await wire.send('GET /{box}/k', {})).status).toBe(200);
    const gone = await until(
      async () => {
        bench.clock.advance(1_000);
        return (await wire.send('GET /{box}/k', {})).status;
      },
      (status) => status === 404,
    );
    expect(gone).toBe(404);
    expect(bench.clock.now()).toBeGreaterThanOrEqual(expiresAt.getTime());
  });
});
