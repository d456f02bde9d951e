/** Tests of GetObjectRetention over HTTP. */

import { beforeEach, expect, test } from 'vitest';
import { refusesLockQuestions } from '../../helpers/lock-questions.ts';
import { colleague, WireBench } from '../../helpers/wire-bench.ts';
import { inBothDialects } from '../../helpers/wire.ts';

const bench = new WireBench();
const HOUR = 3600 * 1000;
const governance = () => ({
  retention: { mode: 'GOVERNANCE' as const, retainUntil: bench.clock.now() + HOUR },
});

inBothDialects(bench, (wire) => {
  const line = 'GET /{box}/a?retention';
  const returned = ({ retention }: ReturnType<typeof governance>) => ({
    status: 200,
    headers: { 'content-type': 'application/xml' },
    body:
      `<Retention xmlns="${wire.dialect.xmlNamespace}"><Mode>${retention.mode}</Mode>` +
      `<RetainUntilDate>${new Date(retention.retainUntil).toISOString()}</RetainUntilDate></Retention>`,
  });
  beforeEach(() => wire.box({ objectLockEnabled: true }));

  test('[lock-21] GetObjectRetention returns the retention of the current version, or of the version in the request', async () => {
    const first = governance();
    await wire.put('a', 'x', { name: 'v1', lock: first });
    bench.clock.advance(7);
    const second = governance();
    await wire.put('a', 'x', { lock: second });
    expect(await wire.ask(line, { as: colleague })).toEqual(returned(second));
    expect(await wire.ask(`${line}=null&versionId={v1}`)).toEqual(returned(first));
  });

  test('GetObjectRetention returns a retention that has ended', async () => {
    const lock = governance();
    await wire.put('a', 'x', { lock });
    bench.clock.advance(2 * HOUR);
    expect(await wire.ask(line)).toEqual(returned(lock));
  });

  test('[lock-40] GetObjectRetention of a version that has only a legal hold returns 404', async () => {
    await wire.put('a', 'x', { lock: { legalHold: true } });
    expect(await wire.refusal(line)).toEqual({
      status: 404,
      Code: 'ObjectLockConfigurationNotFoundError',
    });
  });

  refusesLockQuestions(wire, line);
});
