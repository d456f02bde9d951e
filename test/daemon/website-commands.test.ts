/** Tests of `s3 website` and `s3 cors` with the embedded store of a real daemon. */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { get } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { startDaemon, type RunningDaemon } from '../../daemon/main.ts';
import { systemClock } from '../../src/base/clock.ts';
import { resolveHome } from '../../src/config/home.ts';
import type { Result } from '../../src/control/messages.ts';
import { runCli, jsonOf, errorOf, parsedJson } from '../helpers/run-cli.ts';

const HOME = mkdtempSync(join(tmpdir(), 'website-'));
const CONFIG = 'storage: {port: 0, website: {port: 0}}\n';
let daemon: RunningDaemon;
let port: string;

const run = (argv: readonly string[], stdin?: string) =>
  runCli(argv, {
    env: { HOLDFAST_HOME: HOME },
    cwd: HOME,
    clock: systemClock,
    ...(stdin !== undefined && { stdin }),
  });

async function ok(...argv: string[]): Promise<string> {
  const { exitCode, stdout, stderr } = await run(argv);
  expect({ argv, exitCode, stderr }).toEqual({ argv, exitCode: 0, stderr: '' });
  return stdout;
}

const file = (name: string, content: unknown): string => {
  writeFileSync(join(HOME, name), typeof content === 'string' ? content : JSON.stringify(content));
  return name;
};

async function start(config: string): Promise<void> {
  file('config.yaml', config);
  daemon = await startDaemon({ home: resolveHome({ homeFlag: HOME, env: {}, cwd: '/' }) });
}

beforeAll(async () => {
  await start(CONFIG);
  await ok('s3', 'mb', 'pages');
  const { listeners } = jsonOf(await ok('status', '--json')) as Result<'status'>;
  port = `${listeners.find(({ name }) => name === 'website')?.port}`;
});

afterAll(async () => {
  await daemon.stop('the tests are over');
  rmSync(HOME, { recursive: true });
});

describe('`s3 website`', () => {
  const address = () => `http://pages.localhost:${port}`;
  const visit = async (path: string) => {
    // Connects to 127.0.0.1 as a browser does, because the DNS resolver of the machine may not know
    // the host name.
    const answer = await new Promise<{ status: unknown; type: unknown; text: string }>(
      (resolve, reject) => {
        const headers = { host: `pages.localhost:${port}` };
        get({ host: '127.0.0.1', port, path, headers, agent: false }, (response) => {
          text(response).then(
            (body) =>
              resolve({
                status: response.statusCode,
                type: response.headers['content-type'],
                text: body,
              }),
            reject,
          );
        }).on('error', reject);
      },
    );
    return [answer.status, answer.text, answer.type];
  };

  it('[web-36] `s3 website` sets, shows and removes a website, and reports whether visitors can read it', async () => {
    expect(await run(['s3', 'website', 'set', 'pages'])).toEqual({
      exitCode: 3,
      stdout: `${address()}\n`,
      stderr: 'not shown: index.html does not exist; holdfast s3 put FILE pages/index.html\n',
    });
    await ok('s3', 'put', file('index.html', '<p>hello</p>'), 'pages/index.html');
    expect(await run(['s3', 'website', 'get', 'pages'])).toEqual({
      exitCode: 3,
      stdout: `${address()}\nindex  index.html\n`,
      stderr:
        'not shown: anonymous callers may not read it; holdfast s3 website set pages --public\n',
    });
    expect((await visit('/'))[0]).toBe(403);
    expect(await ok('s3', 'website', 'set', 'pages', '--public')).toBe(`${address()}\n`);
    expect(await visit('/')).toEqual([200, '<p>hello</p>', 'text/html']);
    expect((await visit('/nothing'))[0]).toBe(404);
    expect(await ok('s3', 'website', 'remove', 'pages', '--yes')).toMatch(
      /^removed the website configuration of bucket pages/,
    );
    expect((await visit('/'))[0]).toBe(404);
    expect(await run(['s3', 'website', 'get', 'pages', '--json'])).toMatchObject({
      exitCode: 1,
      stdout: expect.stringContaining('"NoSuchWebsiteConfiguration"') as string,
    });
  });

  it('[web-36] `s3 website set --public` keeps the other statements of the bucket policy', async () => {
    const statement = {
      Sid: 'Uploads',
      Effect: 'Deny',
      Principal: '*',
      Action: 's3:PutObject',
      Resource: 'arn:aws:s3:::pages/locked/*',
    };
    await ok('s3', 'policy', 'set', 'pages', file('policy.json', { Statement: statement }));
    for (const _ of ['once', 'twice']) await ok('s3', 'website', 'set', 'pages', '--public');
    const policy = parsedJson(await ok('s3', 'policy', 'get', 'pages')) as {
      Statement: { Sid: string }[];
    };
    expect(policy.Statement.map(({ Sid }) => Sid)).toEqual(['Uploads', 'PublicWebsite']);
  });

  it('[web-36] `s3 website set` accepts an index page, an error page and routing rules, also with the option names of other tools', async () => {
    const rules = [
      {
        Condition: { KeyPrefixEquals: 'docs/', HttpErrorCodeReturnedEquals: '404' },
        Redirect: { ReplaceKeyPrefixWith: 'documents/', HttpRedirectCode: '302' },
      },
      { Redirect: { HostName: 'b.test', Protocol: 'https' } },
    ];
    const given = ['--index', 'start.html', '--error', 'error.html', '--rules'];
    await run([
      's3',
      'website',
      'set',
      'pages',
      ...given,
      file('rules.json', { RoutingRules: rules }),
    ]);
    const { stdout } = await run(['s3', 'website', 'get', 'pages']);
    expect(stdout.split('\n').slice(1)).toEqual([
      'index  start.html',
      'error  error.html',
      'rule 1  what begins with "docs/", error 404: 302 to "documents/"…',
      'rule 2  everything: 301 to https b.test',
      '',
    ]);
    const known = jsonOf((await run(['s3', 'website', 'get', 'pages', '--json'])).stdout) as object;
    expect(known).toMatchObject({ url: address(), state: 'no index' });
    // The command accepts the JSON that it printed as input.
    const { website } = known as { website: object };
    const again = await run(
      ['s3', 'website', 'set', 'pages', '--rules', '-'],
      JSON.stringify(website),
    );
    expect(again.exitCode).toBe(0);
    await ok('s3', 'website', 'set', 'pages', '--redirect-all', 'https://www.a.test/');
    expect(await ok('s3', 'website', 'get', 'pages')).toBe(
      `${address()}\nevery request is sent to https://www.a.test\n`,
    );
  });

  it.each([
    [['--redirect-all', 'https://a/b'], 2, 'Usage'],
    [['--redirect-all', 'a', '--index', 'i'], 2, 'Usage'],
    [['--index', 'a/b'], 2, 'InvalidArgument'],
    [['--rules', 'none.json'], 1, 'FileNotUsable'],
    [['--rules', 'bad.json'], 2, 'Usage'],
    [['--rules', 'unknown.json'], 2, 'Usage'],
    [['--rules', 'wrong.json'], 2, 'BadRequest'],
    [['--rules', 'empty.json'], 1, 'InvalidRequest'],
  ])('[web-36] `s3 website set` fails with %j', async (given, exitCode, code) => {
    file('bad.json', '[{');
    file('unknown.json', [{ Redirection: {} }]);
    file('wrong.json', [{ Redirect: { HostName: 1 } }]);
    file('empty.json', [{ Redirect: {} }]);
    const outcome = await run(['s3', 'website', 'set', 'pages', ...given, '--json']);
    expect([outcome.exitCode, errorOf(outcome.stdout)]).toMatchObject([exitCode, { code }]);
  });
});

describe('`s3 cors`', () => {
  const rules = [
    {
      ID: 'app',
      AllowedOrigins: ['https://*.a.test'],
      AllowedMethods: ['GET', 'PUT'],
      AllowedHeaders: ['*'],
      ExposeHeaders: ['ETag'],
      MaxAgeSeconds: 3600,
    },
  ];

  it('[cors-23] `s3 cors` sets, adds, shows and removes CORS rules', async () => {
    expect(await ok('s3', 'cors', 'set', 'pages', file('cors.json', { CORSRules: rules }))).toBe(
      'bucket pages has 1 CORS rule\n',
    );
    const added = ['--origin', 'https://b.test', '--origin', '*', '--method', 'get,head'];
    await ok(
      's3',
      'cors',
      'add',
      'pages',
      ...added,
      '--expose',
      'ETag, x-svc-version-id',
      '--max-age',
      '10m',
    );
    expect(await ok('s3', 'cors', 'get', 'pages')).toBe(
      'rule 1  app\n  origins  https://*.a.test\n  methods  GET, PUT\n  headers  *\n  expose   ETag\n  max age  1 h\n' +
        'rule 2\n  origins  https://b.test, *\n  methods  GET, HEAD\n  expose   ETag, x-svc-version-id\n  max age  10 min\n',
    );
    // The command accepts the result that it printed as input.
    const printed = await ok('s3', 'cors', 'get', 'pages', '--json');
    const result = JSON.stringify(jsonOf(printed));
    expect((await run(['s3', 'cors', 'set', 'pages', '-'], result)).exitCode).toBe(0);
    expect(await ok('s3', 'cors', 'get', 'pages', '--json')).toBe(printed);
    expect(await ok('s3', 'cors', 'remove', 'pages', '--yes')).toBe(
      'removed the CORS rules of bucket pages\n',
    );
    const gone = await run(['s3', 'cors', 'get', 'pages', '--json']);
    expect(errorOf(gone.stdout)).toMatchObject({ code: 'NoSuchCORSConfiguration' });
    await ok('s3', 'cors', 'add', 'pages', '--origin', '*');
  });

  it.each([
    [['add', 'pages'], 2, 'Usage'],
    [['add', 'pages', '--origin', '*', '--method', 'PATCH'], 2, 'Usage'],
    [['add', 'pages', '--origin', '*', '--max-age', '2d'], 2, 'Usage'],
    [['add', 'pages', '--origin', 'a.test'], 2, 'Usage'],
    [['add', 'pages', '--origin', 'https://*.*'], 1, 'InvalidRequest'],
    [['set', 'pages', 'rule.json'], 2, 'Usage'],
    [['set', 'pages', 'unknown.json'], 2, 'Usage'],
    [['set', 'pages', 'wrong.json'], 2, 'BadRequest'],
    [['add', 'no-such-bucket', '--origin', '*'], 1, 'NoSuchBucket'],
  ])('[cors-23] `s3 cors` with the arguments %j fails', async (given, exitCode, code) => {
    file('rule.json', rules[0]);
    file('unknown.json', [{ AllowedOrigin: ['*'] }]);
    file('wrong.json', [{ AllowedOrigins: '*', AllowedMethods: ['GET'] }]);
    const outcome = await run(['s3', 'cors', ...given, '--json']);
    expect([outcome.exitCode, errorOf(outcome.stdout)]).toMatchObject([exitCode, { code }]);
  });
});

it('[web-35] `s3 website` reports that the daemon serves no websites, and how to enable them', async () => {
  await daemon.stop('another configuration');
  await start('storage: {port: 0}\n');
  const outcome = await run(['s3', 'website', 'set', 'pages']);
  expect(outcome).toEqual({
    exitCode: 3,
    stdout: 'set the website of bucket pages\n',
    stderr: `not served: put \`website: {}\` below \`storage:\` in ${join(HOME, 'config.yaml')}, and restart the daemon\n`,
  });
});
