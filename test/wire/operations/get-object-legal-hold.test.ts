/** Tests of GetObjectLegalHold over HTTP. */

import { beforeEach, expect, test } from 'vitest';
import { refusesLockQuestions } from '../../helpers/lock-questions.ts';
import { colleague, WireBench } from '../../helpers/wire-bench.ts';
import { inBothDialects } from '../../helpers/wire.ts';

const bench = new WireBench();

inBothDialects(bench, (wire) => {
  const line = 'GET /{box}/a?legal-hold';
  const returned = (status: string) => ({
    status: 200,
    headers: { 'content-type': 'application/xml' },
    body: `<LegalHold xmlns="${wire.dialect.xmlNamespace}"><Status>${status}</Status></LegalHold>`,
  });
  beforeEach(() => wire.box({ objectLockEnabled: true }));

  test('[lock-23] GetObjectLegalHold returns the hold of the current version, or of the version in the request', async () => {
    await wire.put('a', 'x', { name: 'v1', lock: { legalHold: true } });
    await wire.put('a', 'x', { name: 'v2', lock: { legalHold: false } });
    expect(await wire.ask(line, { as: colleague })).toEqual(returned('OFF'));
    expect(await wire.ask(`${line}=&versionId={v1}`)).toEqual(returned('ON'));
  });

  test('GetObjectLegalHold returns OFF after the hold was lifted', async () => {
    await wire.put('a', 'x', { lock: { legalHold: true } });
    await wire.store.putLegalHold({ bucket: wire.get('box'), key: 'a', legalHold: false });
    expect(await wire.ask(line)).toEqual(returned('OFF'));
  });

  test('[lock-24] GetObjectLegalHold of a version that has only a retention returns 404', async () => {
    const retainUntil = bench.clock.now() + 1000;
    await wire.put('a', 'x', { lock: { retention: { mode: 'GOVERNANCE', retainUntil } } });
    expect(await wire.refusal(line)).toEqual({
      status: 404,
      Code: 'ObjectLockConfigurationNotFoundError',
    });
  });

  refusesLockQuestions(wire, line);
});
