/**
 * Tests of `monitor metrics` and `monitor alarms` with the store of a real daemon. The tests
 * advance the daemon's clock.
 */

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { createServer, request, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';

import { startDaemon, type RunningDaemon } from '../../daemon/main.ts';
import { resolveHome } from '../../src/config/home.ts';
import { connectControl } from '../../src/control/client.ts';
import type { Result } from '../../src/control/messages.ts';
import { FakeClock } from '../helpers/fake-clock.ts';
import { runCli, jsonOf, errorOf } from '../helpers/run-cli.ts';
import { until } from '../helpers/until.ts';

const HOME = mkdtempSync(join(tmpdir(), 'monitoring-'));
const clock = new FakeClock();
const MINUTE = 60_000;
let daemon: RunningDaemon;

const run = (argv: readonly string[], columns?: number) =>
  runCli(argv, {
    env: { HOLDFAST_HOME: HOME, TZ: 'UTC' },
    cwd: HOME,
    clock,
    ...(columns && { columns }),
  });

async function ok(...argv: string[]): Promise<string> {
  const { exitCode, stdout, stderr } = await run(argv);
  expect({ argv, exitCode, stderr }).toEqual({ argv, exitCode: 0, stderr: '' });
  return stdout;
}

const json = async (...argv: string[]) => jsonOf(await ok(...argv, '--json'));

function add(name: string, options: Record<string, string | readonly string[]>) {
  const words = Object.entries(options).flatMap(([option, values]) =>
    [values].flat().flatMap((value) => [`--${option}`, value]),
  );
  return json('monitor', 'alarms', 'add', name, ...words);
}

async function start(): Promise<void> {
  daemon = await startDaemon({ home: resolveHome({ homeFlag: HOME, env: {}, cwd: '/' }), clock });
}

beforeAll(async () => {
  const config = 'storage: {port: 0}\nmetrics: {http: "127.0.0.1:0"}\n';
  writeFileSync(join(HOME, 'config.yaml'), config, { mode: 0o600 });
  writeFileSync(join(HOME, 'five'), '12345');
  await start();
  await ok('s3', 'mb', 'photos');
  await ok('s3', 'put', 'five', 'photos/k');
  await ok('s3', 'put', 'five', 'photos/k');
  await ok('s3', 'rm', 'photos/k', '--yes');
});

afterAll(async () => {
  await daemon.stop('the tests are over');
  rmSync(HOME, { recursive: true });
});

/** Starts an HTTP server that records all requests, and responds with the status code `status`. */
async function hook(status = 204) {
  const posts: { headers: IncomingHttpHeaders; body: unknown }[] = [];
  const server = createServer((posted, response) => {
    const chunks: Buffer[] = [];
    posted.on('data', (chunk: Buffer) => chunks.push(chunk));
    posted.on('end', () => {
      const body: unknown = JSON.parse(Buffer.concat(chunks).toString());
      posts.push({ headers: posted.headers, body });
      response.writeHead(status).end();
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  onTestFinished(() => void server.close());
  return { posts, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook` };
}

const history = async (name: string) =>
  (await json('monitor', 'alarms', 'history', name)) as Result<'alarms.history'>;

const summaries = async (name: string) =>
  (await history(name)).entries.map(({ summary }) => summary);

describe('`monitor metrics`', () => {
  it('[metric-7] `monitor metrics` shows the metrics of each bucket, and the values from which they are computed', async () => {
    expect(await ok('monitor', 'metrics')).toBe(
      'SIZE  OBJECTS  MONITORING  BUCKET\n10 B        3  off         photos\n',
    );
    expect(await ok('monitor', 'metrics', 'photos')).toContain(
      'NumberOfObjects  3  (2 versions, 1 delete marker, 0 parts of open uploads)',
    );
    expect(await json('monitor', 'metrics', 'photos')).toMatchObject({
      sizeBytes: 10,
      objects: 3,
      versions: 2,
      deleteMarkers: 1,
      parts: 0,
      monitored: false,
    });
  });

  it('[metric-8] monitoring of a bucket is off until a user enables it, and then records time series', async () => {
    clock.advance(MINUTE);
    const { stderr } = await run(['monitor', 'metrics', 'photos', '--since', '1h']);
    expect(stderr).toContain('is monitoring on?');
    await ok('monitor', 'metrics', 'on', 'photos');
    clock.advance(3 * MINUTE);
    const series = (await json(
      'monitor',
      'metrics',
      'photos',
      '--since',
      '1h',
      '--period',
      '1m',
    )) as {
      points: object[];
    };
    expect(series).toMatchObject({
      metric: 'BucketSizeBytes',
      statistic: 'Average',
      periodMs: MINUTE,
    });
    expect(series.points).toHaveLength(3);
    expect(series.points.at(-1)).toMatchObject({ value: 10, samples: 1 });
    const { stdout } = await run(
      [
        'monitor',
        'metrics',
        'photos',
        '--metric',
        'objects',
        '--statistic',
        'SUM',
        '--period',
        '1h',
      ],
      40,
    );
    expect(stdout).toMatch(/^Sum of NumberOfObjects of photos\n▁\nFROM/);
    expect(stdout).toMatch(/ 9 +3\n$/);
  });

  it.each([
    [['monitor', 'metrics', '--since', '1d'], 'no bucket is given'],
    [['monitor', 'metrics', 'photos', '--statistic', 'p99'], 'must be one of SampleCount'],
    [['monitor', 'metrics', 'photos', '--metric', 'weight'], 'must be one of BucketSizeBytes'],
    [['monitor', 'metrics', 'photos', '--since', 'never'], 'never'],
    [['monitor', 'metrics', 'photos', '--prometheus'], 'cannot use --prometheus with a bucket'],
  ])('the command line %j is a usage error', async (argv, words) => {
    const { exitCode, stderr } = await run(argv);
    expect(exitCode).toBe(2);
    expect(stderr).toContain(words);
  });

  it('`monitor metrics` fails for an unknown bucket', async () => {
    for (const argv of [
      ['monitor', 'metrics', 'none'],
      ['monitor', 'metrics', 'on', 'none'],
      ['monitor', 'metrics', 'none', '--since', '1h'],
    ]) {
      expect(await run(argv)).toMatchObject({
        exitCode: 1,
        stderr: expect.stringContaining('unknown bucket "none"') as string,
      });
    }
  });
});

describe('`monitor alarms`', () => {
  it('`monitor alarms add` accepts every field of the specification, and the alarms survive a restart', async () => {
    const added = await add('every field', {
      bucket: 'photos',
      description: 'all of them',
      metric: 'NumberOfObjects',
      statistic: 'maximum',
      comparison: '<=',
      threshold: '-2.5',
      period: '1h',
      periods: '5',
      datapoints: '3',
      missing: 'notbreaching',
      'on-alarm': 'command:["a","b c"]',
      'command-timeout': '5s',
      'on-ok': ['log', 'notification'],
      'on-insufficient-data': 'webhook:https://example.com/x?y=z',
    });
    expect(added).toMatchObject({
      name: 'every field',
      description: 'all of them',
      bucket: 'photos',
      metric: 'NumberOfObjects',
      statistic: 'Maximum',
      comparison: 'LessThanOrEqualToThreshold',
      threshold: -2.5,
      periodMs: 3_600_000,
      evaluationPeriods: 5,
      datapointsToAlarm: 3,
      treatMissingData: 'notBreaching',
      actions: {
        ALARM: [{ type: 'command', argv: ['a', 'b c'], timeoutMs: 5000 }],
        OK: [{ type: 'log' }, { type: 'notification' }],
        INSUFFICIENT_DATA: [{ type: 'webhook', url: 'https://example.com/x?y=z' }],
      },
      state: 'INSUFFICIENT_DATA',
    });
    await daemon.stop('to see what is kept');
    await start();
    expect(await json('monitor', 'alarms', 'get', 'every field')).toEqual(added);
    expect(await json('monitor', 'metrics', 'photos')).toMatchObject({ monitored: true });
    await ok('monitor', 'alarms', 'remove', 'every field', '--yes');
  });

  it('an alarm runs a command, calls a webhook, logs the change of its state, and records the results', async () => {
    const { posts, url } = await hook();
    const secretFile = join(HOME, 'secret');
    writeFileSync(secretFile, 'Authorization: Bearer abc\n', { mode: 0o600 });
    const script = `env | grep HOLDFAST_ALARM_ | sort > ${join(HOME, 'told')}; echo said`;
    await add('too-full', {
      bucket: 'photos',
      threshold: '9B',
      period: '1m',
      'on-alarm': [`command:${JSON.stringify(['/bin/sh', '-c', script])}`, `webhook:${url}`, 'log'],
      'secret-file': 'secret',
    });
    const { socketPath } = resolveHome({ homeFlag: HOME, env: {}, cwd: '/' });
    const client = await connectControl({ socketPath, clientName: 'test', clock });
    onTestFinished(() => client.close());
    const returned: string[] = [];
    client.onEvent(({ event }) => {
      if (event.type === 'alarm.changed') returned.push(event.alarm.state);
    });
    await client.subscribe();
    clock.advance(MINUTE);
    const outcomes = await until(
      () => summaries('too-full'),
      (all) => all.length === 5,
    );
    expect(outcomes.toSorted()).toEqual([
      'ALARM, command /bin/sh: done: exit code 0: said',
      'ALARM, log: done: written',
      `ALARM, webhook ${new URL(url).host}: done: status 204`,
      expect.stringContaining('INSUFFICIENT_DATA to ALARM: '),
      'added',
    ]);
    expect(returned).toEqual(['ALARM']);
    expect(readFileSync(join(HOME, 'told'), 'utf8')).toContain('HOLDFAST_ALARM_STATE=ALARM\n');
    expect(posts).toMatchObject([
      {
        headers: { authorization: 'Bearer abc', 'content-type': 'application/json' },
        body: {
          state: 'ALARM',
          oldState: 'INSUFFICIENT_DATA',
          alarm: { name: 'too-full', bucket: 'photos' },
        },
      },
    ]);
    expect(readFileSync(join(HOME, 'state', 'holdfast.log'), 'utf8')).not.toContain('Bearer');
  });

  it('[alarm-18] `status` lists an alarm in the state ALARM, and then exits with code 3', async () => {
    const { exitCode, stdout } = await run(['status']);
    expect(exitCode).toBe(3);
    expect(stdout).toMatch(/\nalarm\n {2}! too-full \(photos\) since .*1 of the last 1 period/);
    await ok('monitor', 'metrics', 'off', 'photos');
    expect((await run(['status'])).exitCode).toBe(0);
    expect(await ok('monitor', 'alarms', 'list')).toMatch(/^STATE .*\nDISABLED .* too-full\n$/);
    expect(await ok('monitor', 'alarms', 'get', 'too-full')).toContain('was ALARM');
    await ok('monitor', 'metrics', 'on', 'photos');
  });

  it('the commands test, set-state, list and remove of `monitor alarms` work for an alarm', async () => {
    await ok(
      'monitor',
      'alarms',
      'add',
      'by-hand',
      '--bucket',
      'photos',
      '--threshold',
      '1TB',
      '--on-ok',
      'command:/no/such/program',
      '--on-alarm',
      'log',
    );
    expect(await ok('monitor', 'alarms', 'test', 'by-hand')).toBe('log: done: written\n');
    const failed = await run(['monitor', 'alarms', 'test', 'by-hand', '--state', 'ok']);
    expect(failed.exitCode).toBe(1);
    expect(failed.stdout).toContain('command /no/such/program: failed: the program does not exist');
    expect(
      await ok('monitor', 'alarms', 'set-state', 'by-hand', 'alarm', '--reason', 'a trial'),
    ).toContain('by-hand is ALARM');
    expect(await ok('monitor', 'alarms', 'list', '--bucket', 'photos')).toContain('by-hand');
    expect((await run(['monitor', 'alarms', 'list', '--bucket', 'others'])).stderr).toContain(
      'unknown bucket',
    );
    expect(await ok('monitor', 'alarms', 'remove', 'by-hand', '--yes')).toBe(
      'removed alarm by-hand\n',
    );
    expect(await run(['monitor', 'alarms', 'get', 'by-hand'])).toMatchObject({ exitCode: 1 });
  });

  it.each([
    [['--threshold', 'much'], 'invalid threshold "much"'],
    [['--threshold', '1', '--period', 'soon'], 'invalid duration "soon"'],
    [['--threshold', '1', '--comparison', '=='], 'must be one of GreaterThan'],
    [['--threshold', '1', '--on-ok', 'mail:me'], 'unknown action "mail:me"'],
    [['--threshold', '1', '--on-ok', 'command:[1]'], 'not a JSON list of strings'],
    [['--threshold', '1', '--on-ok', 'command:['], 'not a JSON list of strings'],
    [['--threshold', '1', '--missing', 'zero'], 'must be one of missing'],
    [
      ['--threshold', '1', '--on-ok', 'command:x', '--command-timeout', '0'],
      'a command needs time to run',
    ],
    [['--threshold', '1', '--periods', '0'], 'a whole number from 1'],
    [[], '--threshold'],
  ])('`monitor alarms add` with %j is a usage error', async (options, words) => {
    const { exitCode, stderr } = await run([
      'monitor',
      'alarms',
      'add',
      'x',
      '--bucket',
      'photos',
      ...options,
    ]);
    expect(exitCode).toBe(2);
    expect(stderr).toContain(words);
  });

  it.each([
    [['--threshold', '1', '--period', '90s'], 'BadRequest'],
    [['--threshold', '1', '--periods', '3', '--datapoints', '4'], 'BadRequest'],
    [['--threshold', '1', '--on-ok', 'webhook:ftp://example.com'], 'BadRequest'],
    [['--threshold', '1', '--on-ok', 'webhook:http://x', '--secret-file', 'nowhere'], 'Config'],
  ])('`monitor alarms add` with %j is refused, and changes nothing', async (options, code) => {
    const { exitCode, stdout } = await run([
      'monitor',
      'alarms',
      'add',
      'x',
      '--bucket',
      'photos',
      '--json',
      ...options,
    ]);
    expect(exitCode).not.toBe(0);
    expect(errorOf(stdout)).toMatchObject({ code });
    expect(await run(['monitor', 'alarms', 'get', 'x'])).toMatchObject({ exitCode: 1 });
  });
});

describe('[metric-9] the metrics endpoint', () => {
  const address = async () => {
    const { listeners } = (await json('status')) as Result<'status'>;
    return listeners.find(({ name }) => name === 'metrics')?.url ?? '';
  };

  it('the metrics endpoint and the command line return all metrics in the Prometheus text format', async () => {
    await ok('monitor', 'alarms', 'remove', 'too-full', '--yes');
    await ok('monitor', 'alarms', 'add', 'quiet', '--bucket', 'photos', '--threshold', '1TB');
    const url = await address();
    const response = await fetch(url);
    expect(response.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
    const text = await response.text();
    expect(await ok('monitor', 'metrics', '--prometheus')).toBe(text);
    for (const line of [
      'holdfast_bucket_size_bytes{bucket="photos"} 10',
      'holdfast_bucket_objects{bucket="photos"} 3',
      'holdfast_bucket_monitored{bucket="photos"} 1',
      'holdfast_alarm_state{alarm="quiet",bucket="photos",state="INSUFFICIENT_DATA"} 1',
      'holdfast_alarm_state{alarm="quiet",bucket="photos",state="ALARM"} 0',
      'holdfast_store_state{state="in order"} 1',
      'holdfast_store_waiting_writes 0',
      '# TYPE holdfast_bucket_size_bytes gauge',
    ])
      expect(text.split('\n')).toContain(line);
  });

  it('the listener of the metrics endpoint also serves /health', async () => {
    const response = await fetch((await address()).replace('/metrics', '/health'));
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('application/json');
    expect(await response.json()).toEqual({ status: 'in order', store: 'in order', jobs: [] });
  });

  it('the metrics endpoint refuses other methods, paths and host names, and requests with a body', async () => {
    const url = await address();
    const statusOf = async (to: string, init?: RequestInit) => (await fetch(to, init)).status;
    expect(await statusOf(url, { method: 'HEAD' })).toBe(200);
    expect(await statusOf(url, { method: 'POST', body: 'x' })).toBe(405);
    expect(await statusOf(url.replace('/metrics', '/'))).toBe(404);
    expect(await statusOf(url.replace('127.0.0.1', 'localhost'))).toBe(200);
    const rebound = request(url, { headers: { host: 'evil.example' } }).end();
    const [answer] = (await once(rebound, 'response')) as [IncomingMessage];
    answer.resume();
    expect(answer.statusCode).toBe(403);
    const withBody = request(url, { headers: { 'content-length': '1' } }).end('x');
    const [refused] = (await once(withBody, 'response')) as [IncomingMessage];
    refused.resume();
    expect(refused.statusCode).toBe(400);
  });

  it('the metrics endpoint answers 403 to a request without a Host header', async () => {
    const socket = connect(Number(new URL(await address()).port), '127.0.0.1');
    socket.write('GET /metrics HTTP/1.1\r\n\r\n');
    const [answer] = (await once(socket, 'data')) as [Buffer];
    expect(answer.toString()).toMatch(/^HTTP\/1.1 403 /);
    socket.destroy();
  });

  it('the metrics endpoint responds while clients occupy all other allowed connections with incomplete requests', async () => {
    const url = await address();
    const silent = Array.from({ length: 16 }, () =>
      connect(Number(new URL(url).port), '127.0.0.1'),
    );
    const closed = Promise.race(silent.map((socket) => once(socket, 'close')));
    for (const socket of silent) {
      if (socket.connecting) await once(socket, 'connect');
      socket.resume().write('GET /');
    }
    expect((await fetch(url)).status).toBe(200);
    await closed;
    for (const socket of silent) socket.destroy();
  });

  it('the metrics endpoint counts the requests that the store answered, by operation and status', async () => {
    const { listeners } = (await json('status')) as Result<'status'>;
    await fetch(listeners.find(({ name }) => name === 'storage')?.url ?? '');
    const text = await ok('monitor', 'metrics', '--prometheus');
    expect(text).toMatch(/^holdfast_requests_total\{operation="ListBuckets",status="403"\} 1$/m);
  });
});
