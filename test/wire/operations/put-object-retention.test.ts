/** Tests of PutObjectRetention over HTTP. They cover each line of the table of allowed lock changes. */

import { beforeEach, expect, test } from 'vitest';
import type { Retention } from '../../../src/object-store/object-store.ts';
import { refusesLockTargets } from '../../helpers/lock-questions.ts';
import { colleague, WireBench } from '../../helpers/wire-bench.ts';
import { inBothDialects, type Given, type RefusalRow } from '../../helpers/wire.ts';

const bench = new WireBench();
const HOUR = 3600 * 1000;
const until = (hours: number) => bench.clock.now() + hours * HOUR;
const dated = (mode: string, date: string) => ({
  body: `<Retention xmlns="urn:x"><Mode>${mode}</Mode><RetainUntilDate>${date}</RetainUntilDate></Retention>`,
});
const retention = (mode: string, hours: number) =>
  dated(mode, new Date(until(hours)).toISOString());

inBothDialects(bench, (wire) => {
  const line = 'PUT /{box}/a?retention';
  const done = { status: 200, headers: { 'content-length': '0' }, body: '' };
  const returned = (name?: string) =>
    wire.store.getRetention({
      bucket: wire.get('box'),
      key: 'a',
      ...(name !== undefined && { versionId: wire.get(name) }),
    });
  beforeEach(() => wire.box({ objectLockEnabled: true }));

  test('[lock-20] a user with write permission can set a retention on a version without a retention', async () => {
    await wire.put('a', 'x');
    expect(await wire.ask(line, { ...retention('GOVERNANCE', 1), as: colleague })).toEqual(done);
    expect(await returned()).toEqual({ mode: 'GOVERNANCE', retainUntil: until(1) });
  });

  test('[lock-25] PutObjectRetention with a version id changes only the retention of that version', async () => {
    await wire.put('a', 'x', { name: 'v1' });
    await wire.put('a', 'x', { name: 'v2' });
    expect(await wire.ask(`${line}&versionId={v1}`, retention('COMPLIANCE', 1))).toEqual(done);
    expect(await returned('v1')).toEqual({ mode: 'COMPLIANCE', retainUntil: until(1) });
    await expect(returned('v2')).rejects.toMatchObject({
      code: 'ObjectLockConfigurationNotFoundError',
    });
  });

  test.each([
    ['2031-02-03T04:05:06Z', Date.UTC(2031, 1, 3, 4, 5, 6)],
    ['2031-02-03T04:05:06.7Z', Date.UTC(2031, 1, 3, 4, 5, 6, 700)],
    ['2031-02-03T04:05:06.123456789Z', Date.UTC(2031, 1, 3, 4, 5, 6, 123)],
    ['2031-02-03T04:05:06+02:00', Date.UTC(2031, 1, 3, 2, 5, 6)],
    ['2031-02-03', Date.UTC(2031, 1, 3)],
  ])('[lock-39] PutObjectRetention accepts a date in the format %s', async (date, retainUntil) => {
    await wire.put('a', 'x');
    expect(await wire.ask(line, dated('GOVERNANCE', date))).toEqual(done);
    expect(await returned()).toEqual({ mode: 'GOVERNANCE', retainUntil });
  });

  test('PutObjectRetention can replace an ended retention as if it had never existed, in either mode', async () => {
    await wire.put('a', 'x', {
      lock: { retention: { mode: 'COMPLIANCE', retainUntil: until(1) } },
    });
    bench.clock.advance(HOUR);
    expect(await wire.ask(line, { ...retention('GOVERNANCE', 1), as: colleague })).toEqual(done);
    expect(await returned()).toEqual({ mode: 'GOVERNANCE', retainUntil: until(1) });
  });

  test('PutObjectRetention changes the retention of a version under legal hold, and keeps the hold', async () => {
    await wire.put('a', 'x', { lock: { legalHold: true } });
    expect(await wire.ask(line, retention('GOVERNANCE', 1))).toEqual(done);
    const { info } = await wire.store.headObject({ bucket: wire.get('box'), key: 'a' });
    expect(info).toMatchObject({ legalHold: true, retention: { retainUntil: until(1) } });
  });

  const [bypassed, saysFalse] = ['true', 'false'].map((value) => ({
    headers: { 'x-*-bypass-governance-retention': value },
  }));
  const ordinary = { as: colleague };

  type Mode = Retention['mode'];
  type Outcome = 'done' | 'denied';
  const [G, C] = ['GOVERNANCE', 'COMPLIANCE'] as const;
  /** Changes of a retention that ends in two hours. `hours` is the requested retention from now on. */
  const changes: [claim: string, held: Mode, mode: Mode, hours: number, Given, Outcome][] = [
    ['a GOVERNANCE retention can be extended', G, G, 3, {}, 'done'],
    ['a GOVERNANCE retention can be set again unchanged', G, G, 2, {}, 'done'],
    ['a GOVERNANCE retention cannot be shortened', G, G, 1, {}, 'denied'],
    ['a GOVERNANCE retention can be shortened with a bypass', G, G, 1, { ...bypassed }, 'done'],
    [
      'a GOVERNANCE retention cannot be shortened if the bypass header is false',
      G,
      G,
      1,
      { ...saysFalse },
      'denied',
    ],
    [
      'a GOVERNANCE retention cannot become COMPLIANCE, even with a later date',
      G,
      C,
      3,
      {},
      'denied',
    ],
    [
      'a GOVERNANCE retention can become COMPLIANCE with a bypass',
      G,
      C,
      3,
      { ...bypassed },
      'done',
    ],
    [
      'a GOVERNANCE retention can become a shorter COMPLIANCE retention with a bypass',
      G,
      C,
      1,
      { ...bypassed },
      'done',
    ],
    ['a GOVERNANCE retention cannot be extended without full access', G, G, 3, ordinary, 'denied'],
    [
      'a GOVERNANCE retention cannot be shortened with a bypass but without full access',
      ...([G, G, 1, { ...bypassed, ...ordinary }, 'denied'] as const),
    ],
    ['a COMPLIANCE retention can be extended', C, C, 3, {}, 'done'],
    ['a COMPLIANCE retention can be extended without full access', C, C, 3, ordinary, 'done'],
    ['a COMPLIANCE retention can be set again unchanged', C, C, 2, {}, 'done'],
    ['a COMPLIANCE retention cannot be shortened', C, C, 1, {}, 'denied'],
    [
      'a COMPLIANCE retention cannot be shortened, even with a bypass',
      C,
      C,
      1,
      { ...bypassed },
      'denied',
    ],
    ['a COMPLIANCE retention cannot become GOVERNANCE', C, G, 3, {}, 'denied'],
    [
      'a COMPLIANCE retention cannot become GOVERNANCE, even with a bypass',
      C,
      G,
      3,
      { ...bypassed },
      'denied',
    ],
  ];

  test.each(changes)(
    'with PutObjectRetention, %s',
    async (_, mode, asked, hours, given, outcome) => {
      const held = { mode, retainUntil: until(2) };
      await wire.put('a', 'x', { lock: { retention: held } });
      const request = { ...retention(asked, hours), ...given };
      if (outcome === 'denied') {
        expect(await wire.refusal(line, request)).toEqual({ status: 403, Code: 'AccessDenied' });
        expect(await returned()).toEqual(held);
      } else {
        expect(await wire.ask(line, request)).toEqual(done);
        expect(await returned()).toEqual({ mode: asked, retainUntil: until(hours) });
      }
    },
  );

  refusesLockTargets(wire, line, dated('GOVERNANCE', '2040-01-01T00:00:00Z'));

  const malformed = { status: 400, Code: 'MalformedXML' };
  const FUTURE = '2040-01-01T00:00:00Z';
  const date = `<RetainUntilDate>${FUTURE}</RetainUntilDate>`;
  const document = (inside: string) => ({ body: `<Retention>${inside}</Retention>` });
  const malformedRows = [
    ['a missing body', { body: '' }],
    ['an XML document with another root element', { body: '<LegalHold/>' }],
    ['an empty Retention element, which would clear the retention', { body: '<Retention/>' }],
    ['a missing mode', document(date)],
    ['a missing date', document('<Mode>GOVERNANCE</Mode>')],
    ['a mode in lower case', dated('governance', FUTURE)],
    ['an unknown mode', dated('NONE', FUTURE)],
    ['two modes', document(`<Mode>GOVERNANCE</Mode><Mode>COMPLIANCE</Mode>${date}`)],
    ['two dates', document(`<Mode>GOVERNANCE</Mode>${date}${date}`)],
    ['an empty date', dated('GOVERNANCE', '')],
    ['a date in the HTTP format', dated('GOVERNANCE', 'Sun, 01 Jan 2040 00:00:00 GMT')],
    ['a day that does not exist', dated('GOVERNANCE', '2040-13-01T00:00:00Z')],
    ['a year of five digits', dated('GOVERNANCE', '10000-01-01T00:00:00Z')],
  ] as const;
  wire.refuses(
    malformedRows.map(([claim, given]): RefusalRow => [claim, line, given, malformed]),
    () => wire.put('a', 'x'),
  );

  test.each([
    ['in the past', -HOUR],
    ['now', 0],
  ])('PutObjectRetention rejects a date that is %s', async (_, ms) => {
    await wire.put('a', 'x');
    const past = new Date(bench.clock.now() + ms).toISOString();
    expect(await wire.refusal(line, dated('GOVERNANCE', past))).toEqual({
      status: 400,
      Code: 'InvalidArgument',
      ArgumentName: 'object-lock-retain-until-date',
      ArgumentValue: past,
    });
  });
});
