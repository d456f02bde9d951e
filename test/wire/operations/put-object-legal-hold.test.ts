/** Tests of PutObjectLegalHold over HTTP. */

import { beforeEach, expect, test } from 'vitest';
import { refusesLockTargets } from '../../helpers/lock-questions.ts';
import { colleague, WireBench } from '../../helpers/wire-bench.ts';
import { inBothDialects, type RefusalRow } from '../../helpers/wire.ts';

const document = (inside: string) => ({
  body: `<LegalHold xmlns="urn:x">${inside}</LegalHold>`,
});
const status = (word: string) => document(`<Status>${word}</Status>`);

const bench = new WireBench();

inBothDialects(bench, (wire) => {
  const line = 'PUT /{box}/a?legal-hold';
  const held = (name: string) =>
    wire.store.getLegalHold({
      bucket: wire.get('box'),
      key: 'a',
      versionId: wire.get(name),
    });
  const done = { status: 200, headers: { 'content-length': '0' }, body: '' };
  const remove = (name: string) =>
    wire.ask(`DELETE /{box}/a?versionId={${name}}`, {
      headers: { 'x-*-bypass-governance-retention': 'true' },
    });
  beforeEach(() => wire.box({ objectLockEnabled: true }));

  test('[lock-13] [lock-22] PutObjectLegalHold can set and lift the hold of the current version any number of times', async () => {
    await wire.put('a', 'x', { name: 'v1' });
    for (const word of ['ON', 'ON', 'OFF', 'OFF', 'ON']) {
      expect(await wire.ask(line, status(word))).toEqual(done);
      expect(await held('v1')).toBe(word === 'ON');
    }
  });

  test('[lock-36] PutObjectLegalHold with a version id changes only the hold of that version', async () => {
    await wire.put('a', 'x', { name: 'v1' });
    await wire.put('a', 'x', { name: 'v2', lock: { legalHold: false } });
    expect(await wire.ask(`${line}&versionId={v1}`, status('ON'))).toEqual(done);
    expect([await held('v1'), await held('v2')]).toEqual([true, false]);
  });

  test('a version under legal hold can be removed only after the hold has been lifted', async () => {
    await wire.put('a', 'x', { name: 'v1' });
    await wire.ask(line, status('ON'));
    expect((await remove('v1')).status).toBe(403);
    await wire.ask(line, status('OFF'));
    expect((await remove('v1')).status).toBe(204);
  });

  test('PutObjectLegalHold changes neither a GOVERNANCE nor a COMPLIANCE retention', async () => {
    for (const mode of ['GOVERNANCE', 'COMPLIANCE'] as const) {
      const retention = { mode, retainUntil: bench.clock.now() + 1000 };
      await wire.put('a', 'x', { lock: { retention } });
      await wire.ask(line, status('ON'));
      await wire.ask(line, status('OFF'));
      const { info } = await wire.store.headObject({ bucket: wire.get('box'), key: 'a' });
      expect(info).toMatchObject({ retention, legalHold: false });
    }
  });

  refusesLockTargets(wire, line, status('ON'));

  const malformed = { status: 400, Code: 'MalformedXML' };
  const denied = { status: 403, Code: 'AccessDenied' };
  const malformedRows = [
    ['a missing body', { body: '' }],
    ['an XML document with another root element', { body: '<Retention/>' }],
    ['a missing status', document('')],
    ['an empty status', status('')],
    ['a status in lower case', status('on')],
    ['a status other than ON or OFF', status('true')],
    ['two statuses', document('<Status>ON</Status><Status>OFF</Status>')],
    ['an incomplete XML document', { body: '<LegalHold><Status>ON</Status>' }],
  ] as const;
  wire.refuses(
    [
      ...malformedRows.map(([claim, given]): RefusalRow => [claim, line, given, malformed]),
      [
        'lifting the legal hold without full access',
        line,
        { ...status('OFF'), as: colleague },
        denied,
      ],
      [
        'setting a legal hold without full access',
        line,
        { ...status('ON'), as: colleague },
        denied,
      ],
    ],
    () => wire.put('a', 'x', { lock: { legalHold: true } }),
  );
});
