/** Tests of `s3 lifecycle` with the embedded store of a real daemon. */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { startDaemon, type RunningDaemon } from '../../daemon/main.ts';
import { systemClock } from '../../src/base/clock.ts';
import { resolveHome } from '../../src/config/home.ts';
import { runCli, jsonOf } from '../helpers/run-cli.ts';

const HOME = mkdtempSync(join(tmpdir(), 'lifecycle-'));
let daemon: RunningDaemon;

const run = (argv: readonly string[], stdin?: string) =>
  runCli(argv, {
    env: { HOLDFAST_HOME: HOME },
    cwd: HOME,
    clock: systemClock,
    ...(stdin !== undefined && { stdin }),
  });

async function ok(argv: readonly string[], stdin?: string): Promise<string> {
  const { exitCode, stdout, stderr } = await run(argv, stdin);
  expect({ argv, exitCode, stderr }).toEqual({ argv, exitCode: 0, stderr: '' });
  return stdout;
}

const words = (line: string) => line.split(' ');
const returned = async (line: string) => jsonOf(await ok([...words(line), '--json']));

beforeAll(async () => {
  writeFileSync(join(HOME, 'config.yaml'), 'storage: {port: 0}\n');
  daemon = await startDaemon({ home: resolveHome({ homeFlag: HOME, env: {}, cwd: '/' }) });
  await ok(words('s3 mb logs --no-versioning'));
  await ok(words('s3 mb photos'));
});

afterAll(async () => {
  await daemon.stop('the tests are over');
  rmSync(HOME, { recursive: true });
});

describe('`s3 lifecycle` with the rules of a bucket', () => {
  it('[lc-50] `s3 lifecycle add` creates rules with a name, a prefix, a number of days and a state', async () => {
    await ok(words('s3 lifecycle add photos all --delete-previous-after 30'));
    expect(
      await ok(words('s3 lifecycle add photos thumbs --prefix cache/ --expire-after 7 --off')),
    ).toBe('bucket photos has 2 lifecycle rules, 1 of them off\n');
    expect(await returned('s3 lifecycle get photos')).toEqual({
      rules: [
        { id: 'all', enabled: true, filter: {}, noncurrentExpiration: { days: 30 } },
        { id: 'thumbs', enabled: false, filter: { prefix: 'cache/' }, expiration: { days: 7 } },
      ],
    });
    expect(await ok(words('s3 lifecycle get photos'))).toBe(
      [
        'all',
        '  the whole bucket',
        '  previous versions expire 30 days after they became noncurrent',
        'thumbs  off',
        '  objects that begin with cache/',
        '  objects expire after 7 days',
        '',
      ].join('\n'),
    );
  });

  it('[lc-51] `s3 lifecycle on`, `off` and `remove` enable, disable and remove rules', async () => {
    await ok(words('s3 lifecycle on photos thumbs'));
    await ok(words('s3 lifecycle off photos all'));
    expect(await returned('s3 lifecycle get photos')).toMatchObject({
      rules: [
        { id: 'all', enabled: false },
        { id: 'thumbs', enabled: true },
      ],
    });
    await ok(words('s3 lifecycle remove photos all --yes'));
    expect(await ok(words('s3 lifecycle remove photos thumbs --yes'))).toBe(
      'bucket photos has 0 lifecycle rules\n',
    );
    expect(await run(words('s3 lifecycle get photos'))).toMatchObject({ exitCode: 1 });
  });

  it.each([
    [
      'adding a rule that already exists',
      's3 lifecycle add logs twice --expire-after 1',
      'has a rule "twice" already',
    ],
    ['adding a rule without an action', 's3 lifecycle add logs none', '--expire-after DAYS'],
    ['adding a rule of 0 days', 's3 lifecycle add logs zero --expire-after 0', 'from 1 to 1000000'],
    [
      'a rule that does not exist',
      's3 lifecycle on logs missing',
      'holdfast s3 lifecycle get logs',
    ],
    ['an invalid time', 's3 lifecycle preview logs --at tomorrow', 'invalid time "tomorrow"'],
  ])('the commands of `s3 lifecycle` refuse %s', async (_, line, reason) => {
    if (reason.includes('already')) await ok(words(line));
    const { exitCode, stderr } = await run(words(line));
    expect({ exitCode, stderr }).toEqual({
      exitCode: line.includes('twice') || line.includes('missing') ? 1 : 2,
      stderr: expect.stringContaining(reason),
    });
  });

  const XML =
    '<LifecycleConfiguration xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><Rule><ID>x</ID><Filter>' +
    '<And><Prefix>a</Prefix><Tag><Key>k</Key><Value>v</Value></Tag></And></Filter><Status>Enabled</Status>' +
    '<Expiration><Date>2030-01-01</Date></Expiration></Rule></LifecycleConfiguration>';
  const JSON_FORM = JSON.stringify({
    Rules: [
      {
        ID: 'x',
        Filter: { And: { Prefix: 'a', Tags: [{ Key: 'k', Value: 'v' }] } },
        Status: 'Enabled',
        Expiration: { Date: '2030-01-01' },
      },
    ],
  });
  const rules = [
    {
      id: 'x',
      enabled: true,
      filter: { prefix: 'a', tags: [{ key: 'k', value: 'v' }] },
      expiration: { date: Date.UTC(2030, 0, 1) },
    },
  ];

  it.each([
    ['in XML form', XML],
    ['in the JSON form of other tools', JSON_FORM],
    ['in the form that `s3 lifecycle get` prints', JSON.stringify({ rules })],
  ])('[lc-52] `s3 lifecycle set` reads rules from a file %s', async (_, document) => {
    expect(await ok(words('s3 lifecycle set photos -'), document)).toBe(
      'bucket photos has 1 lifecycle rule\n',
    );
    expect(await returned('s3 lifecycle get photos')).toEqual({ rules });
  });

  it('[lc-52] `s3 lifecycle set` refuses an invalid file, and the previous rules remain', async () => {
    for (const [document, reason] of [
      ['', 'neither XML nor JSON'],
      ['nonsense', 'neither XML nor JSON'],
      ['[]', 'it has neither a "Rules" list'],
      ['{"Rules": 1}', 'it has neither a "Rules" list'],
      ['{"CORSRules": [{"AllowedOrigins": ["*"]}]}', 'it has neither a "Rules" list'],
      ['{"Rules": [{"Filter": {"Prefix": ["a"]}}]}', 'Rules[0].Filter.Prefix must be a string,'],
      [
        '{"Rules": [{"Status": null}]}',
        'Rules[0].Status must be a string, a number, true, false or an object, not null',
      ],
      ['{"Rules": [{"Status": "On"}]}', 'Status is not valid'],
    ] as const) {
      const { exitCode, stderr } = await run(words('s3 lifecycle set photos -'), document);
      expect({ document, exitCode, stderr }).toEqual({
        document,
        exitCode: 1,
        stderr: expect.stringContaining(reason) as string,
      });
    }
    expect(await returned('s3 lifecycle get photos')).toEqual({ rules });
  });
});

describe('`s3 lifecycle` with lifecycle runs', () => {
  it('[lc-53] `s3 lifecycle` previews, starts and reports lifecycle runs', async () => {
    await ok(words('s3 put - logs/old'), '12345');
    await ok(words('s3 put - photos/a'), '12345');
    const past = { id: 'past', enabled: true, filter: {}, expiration: { date: 0 } };
    const document = JSON.stringify({ rules: [past] });
    await ok(words('s3 lifecycle set logs -'), document);
    await ok(words('s3 lifecycle set photos -'), document);

    const preview = await ok(words('s3 lifecycle preview'));
    expect(preview).toContain('     5 B  null  logs/old  rule past\n');
    expect(preview).toMatch(/\n2 changes \(5 B\); nothing was changed\n$/);
    expect(await returned('s3 lifecycle preview photos')).toMatchObject({
      changes: [{ bucket: 'photos', key: 'a', action: 'mark', ruleId: 'past' }],
      clockAheadMs: 0,
    });

    expect(await ok(words('s3 lifecycle run --yes'))).toBe('2 expired, 5 B (2 versions checked)\n');
    expect(await ok(words('s3 lifecycle run --yes'))).toBe('nothing to do (2 versions checked)\n');
    expect(await returned('s3 lifecycle runs')).toMatchObject({
      runs: [
        { runId: 2, cause: 'asked', expired: 0 },
        { runId: 1, cause: 'asked', expired: 2, bytes: 5, held: 0 },
      ],
    });
    expect(await ok(words('s3 lifecycle runs'))).toMatch(
      / {2}asked {2}nothing to do .*\n.* 2 expired, /,
    );
  });

  it('[lc-53] `s3 lifecycle preview` for a future day lists objects that do not expire yet', async () => {
    const document = JSON.stringify({
      rules: [{ id: 'ten', enabled: true, filter: {}, expiration: { days: 10 } }],
    });
    await ok(words('s3 lifecycle set logs -'), document);
    await ok(words('s3 put - logs/new'), '1');
    const at = (when: string) => ok(['s3', 'lifecycle', 'preview', 'logs', '--at', when]);
    expect(await at('in 5d')).toBe('0 changes; nothing was changed\n');
    expect(await at('in 12d')).toMatch(/^removed .*\n1 change \(1 B\); nothing was changed\n$/);
  });
});
