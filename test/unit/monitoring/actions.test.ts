/**
 * Tests of alarm actions with real programs, webhooks and desktop notifications, including their
 * failures.
 */

import { chmodSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';

import { describe, expect, it, onTestFinished } from 'vitest';

import { systemClock } from '../../../src/base/clock.ts';
import type { Logger } from '../../../src/base/logger.ts';
import { silentLogger } from '../../../src/base/logger.ts';
import { readSecretHeader } from '../../../src/monitoring/actions/secret-header.ts';
import { noticeOf } from '../../../src/monitoring/actions/notice.ts';
import { actionText, type ActionTools, perform } from '../../../src/monitoring/actions/perform.ts';
import type { AlarmAction, Transition } from '../../../src/monitoring/alarm.ts';
import { alarmDefinition } from '../../helpers/alarms.ts';
import { FakeClock } from '../../helpers/fake-clock.ts';
import { temporaryFolder } from '../../helpers/temporary-folder.ts';
import { until } from '../../helpers/until.ts';

const TRANSITION: Transition = {
  id: 'a-b-c',
  alarm: alarmDefinition({ name: 'too <full>', description: 'for a try' }),
  from: 'OK',
  to: 'ALARM',
  reason: "it's 5 & more; $(touch x)",
  at: Date.UTC(2026, 10, 21, 12),
  isTest: false,
};

function tools(members: Partial<ActionTools> = {}): ActionTools {
  return {
    clock: systemClock,
    logger: silentLogger,
    environment: { PATH: process.env['PATH'] },
    folder: temporaryFolder('action'),
    platform: 'linux',
    ...members,
  };
}

const act = (action: AlarmAction, given = tools(), signal = new AbortController().signal) =>
  perform(action, noticeOf(TRANSITION), given, signal);

const shell = (script: string, timeoutMs?: number): AlarmAction => ({
  type: 'command',
  argv: ['/bin/sh', '-c', script],
  ...(timeoutMs !== undefined && { timeoutMs }),
});

describe('[alarm-19] commands as alarm actions', () => {
  it('the daemon does not start an alarm command that another user can replace', async () => {
    const given = tools();
    const program = join(given.folder, 'program');
    writeFileSync(program, '#!/bin/sh\necho ran > ran\n', { mode: 0o755 });
    const command: AlarmAction = { type: 'command', argv: ['./program'] };
    expect(await act(command, given)).toEqual({ ok: true, said: 'exit code 0' });
    rmSync(join(given.folder, 'ran'));
    chmodSync(program, 0o777);
    const { ok, said } = await act(command, given);
    expect([ok, existsSync(join(given.folder, 'ran'))]).toEqual([false, false]);
    expect(said).toContain(`not started: ${program}: every user can write to it; run: chmod o-w`);
  });

  it("the daemon passes the alarm's change of state to the command in its environment", async () => {
    const given = tools();
    expect(await act(shell('env > received'), given)).toEqual({ ok: true, said: 'exit code 0' });
    const received = readFileSync(join(given.folder, 'received'), 'utf8').split('\n');
    for (const line of [
      'HOLDFAST_ALARM_NAME=too <full>',
      'HOLDFAST_ALARM_DESCRIPTION=for a try',
      'HOLDFAST_ALARM_STATE=ALARM',
      'HOLDFAST_ALARM_OLD_STATE=OK',
      `HOLDFAST_ALARM_REASON=${TRANSITION.reason}`,
      'HOLDFAST_ALARM_AT=2026-11-21T12:00:00.000Z',
      'HOLDFAST_ALARM_BUCKET=box',
      'HOLDFAST_ALARM_METRIC=BucketSizeBytes',
      'HOLDFAST_ALARM_STATISTIC=Average',
      'HOLDFAST_ALARM_COMPARISON=GreaterThanThreshold',
      'HOLDFAST_ALARM_THRESHOLD=100',
      'HOLDFAST_ALARM_TRANSITION=a-b-c',
      'HOLDFAST_ALARM_TEST=0',
    ])
      expect(received).toContain(line);
  });

  it('the daemon passes the arguments to an alarm command without a shell', async () => {
    const given = tools();
    const argv = ['/usr/bin/printf', '%s|', '$(touch x)', '; touch x', '*', ''];
    const { said } = await act({ type: 'command', argv }, given);
    expect(said).toBe('exit code 0: $(touch x)|; touch x|*||');
    expect(existsSync(join(given.folder, 'x'))).toBe(false);
  });

  it.each([
    ['exit 3', 'exit code 3'],
    ['echo out; echo err >&2; exit 1', 'exit code 1: out\nerr'],
    ['kill -9 $$', 'killed by another process'],
  ])(
    'the daemon reports the failure and the output of the alarm command "%s"',
    async (script, said) => {
      expect(await act(shell(script))).toEqual({ ok: false, said });
    },
  );

  it('an alarm action fails if its command is missing or not executable', async () => {
    const given = tools();
    const file = join(given.folder, 'text');
    writeFileSync(file, 'no program', { mode: 0o600 });
    const missing = await act({ type: 'command', argv: ['no-such-program-of-ours'] }, given);
    expect(missing).toMatchObject({
      ok: false,
      said: expect.stringMatching(/^the program does not exist/) as string,
    });
    const denied = await act({ type: 'command', argv: [file] }, given);
    expect(denied).toMatchObject({
      ok: false,
      said: expect.stringMatching(/^could not be started/) as string,
    });
  });

  it('the daemon stops an alarm command that times out, with its child processes', async () => {
    const given = tools({ clock: new FakeClock() });
    const acting = act(shell('sleep 600 & echo $! > child; echo up > ready; wait', 2000), given);
    await until(() => existsSync(join(given.folder, 'ready')), Boolean);
    const child = Number(readFileSync(join(given.folder, 'child'), 'utf8'));
    (given.clock as FakeClock).advance(2000);
    expect(await acting).toEqual({ ok: false, said: 'killed after 2 s' });
    await until(
      () => isAlive(child),
      (alive) => !alive,
    );
  });

  it('the daemon kills an alarm command that ignores SIGTERM', async () => {
    const given = tools({ clock: new FakeClock() });
    const acting = act(
      shell('trap "" TERM; echo up > ready; while :; do sleep 0.05; done', 1000),
      given,
    );
    await until(() => existsSync(join(given.folder, 'ready')), Boolean);
    (given.clock as FakeClock).advance(1000);
    (given.clock as FakeClock).advance(5000);
    expect(await acting).toMatchObject({ ok: false });
  });

  it('the daemon stops an alarm command when it stops itself', async () => {
    const given = tools();
    const stopping = new AbortController();
    const acting = act(shell('echo up > ready; sleep 600'), given, stopping.signal);
    await until(() => existsSync(join(given.folder, 'ready')), Boolean);
    stopping.abort();
    await expect(acting).rejects.toThrow('aborted');
  });

  it('the daemon truncates the output of an alarm command', async () => {
    const { ok, said } = await act(shell('yes | head -c 1000000'));
    expect(ok).toBe(true);
    expect(said.length).toBeLessThan(1100);
  });
});

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    // A zombie process has ended, although its parent has not read its exit code.
    return !readFileSync(`/proc/${pid}/stat`, 'utf8').includes(') Z ');
  } catch {
    return false;
  }
}

async function service(answer: RequestListener): Promise<string> {
  const server = createServer(answer);
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook?token=t`;
}

const webhook = (url: string, secretFile?: string): AlarmAction => ({
  type: 'webhook',
  url,
  ...(secretFile !== undefined && { secretFile }),
});

describe('[alarm-20] webhooks as alarm actions', () => {
  it('the daemon sends one POST request with a JSON body to a webhook', async () => {
    let seen: unknown;
    const url = await service((request, response) => {
      let body = '';
      request.on('data', (chunk: Buffer) => (body += chunk.toString()));
      request.on('end', () => {
        const { method, url: path, headers } = request;
        seen = { method, path, type: headers['content-type'], body: JSON.parse(body) as unknown };
        response.end('thanks');
      });
    });
    expect(await act(webhook(url))).toEqual({ ok: true, said: 'status 200: thanks' });
    const { actions: _, ...alarm } = TRANSITION.alarm;
    expect(seen).toEqual({
      method: 'POST',
      path: '/hook?token=t',
      type: 'application/json',
      body: {
        id: 'a-b-c',
        at: '2026-11-21T12:00:00.000Z',
        state: 'ALARM',
        oldState: 'OK',
        reason: TRANSITION.reason,
        test: false,
        alarm,
      },
    });
  });

  it.each([
    [204, 'done'],
    [301, 'failed'],
    [400, 'failed'],
    [404, 'failed'],
    [408, 'failed for now'],
    [429, 'failed for now'],
    [500, 'failed for now'],
    [503, 'failed for now'],
  ])('the daemon treats the webhook response %d as: %s', async (status, end) => {
    const url = await service((_, response) => {
      response.writeHead(status, { location: 'http://127.0.0.1:1/' }).end();
    });
    const { ok, mayRetry = false } = await act(webhook(url));
    expect(ok ? 'done' : mayRetry ? 'failed for now' : 'failed').toBe(end);
  });

  it('the daemon does not follow redirects of a webhook', async () => {
    const asked: string[] = [];
    const url = await service((request, response) => {
      asked.push(request.url ?? '');
      response.writeHead(307, { location: '/elsewhere' }).end();
    });
    const { said } = await act(webhook(url));
    expect(said).toContain('redirects are not followed');
    expect(asked).toEqual(['/hook?token=t']);
  });

  it('the daemon allows a retry if a webhook does not respond in time', async () => {
    expect(await act(webhook('http://127.0.0.1:1/'))).toMatchObject({ ok: false, mayRetry: true });
    const clock = new FakeClock();
    const asked = Promise.withResolvers<void>();
    const url = await service(() => asked.resolve());
    const acting = act(webhook(url), tools({ clock }));
    await asked.promise;
    clock.advance(15_000);
    expect(await acting).toEqual({ ok: false, said: 'no response within 15 s', mayRetry: true });
  });

  it("the daemon reads only as much of a webhook's response as it reports", async () => {
    const url = await service((_, response) => {
      const more = () => {
        while (!response.destroyed && response.write('x'.repeat(65_536)));
        if (!response.destroyed) response.once('drain', more);
      };
      more();
    });
    const { ok, said } = await act(webhook(url));
    expect(ok).toBe(true);
    expect(said.length).toBeLessThan(1100);
  });

  it('the daemon sends the header in the secret file to a webhook and never shows it', async () => {
    let authorization: string | undefined;
    const url = await service((request, response) => {
      ({ authorization } = request.headers);
      response.writeHead(500).end();
    });
    const file = join(temporaryFolder('secret'), 'header');
    writeFileSync(file, 'Authorization: Bearer s3cret\n', { mode: 0o600 });
    const outcome = await act(webhook(url, file));
    expect(authorization).toBe('Bearer s3cret');
    expect(JSON.stringify(outcome)).not.toContain('s3cret');
    chmodSync(file, 0o640);
    expect((await act(webhook(url, file))).said).toContain('other users can read it');
  });

  it('the daemon displays only the host of a webhook, without path and query', () => {
    expect(actionText(webhook('https://example.com/T0/B0/secret?key=x'))).toBe(
      'webhook example.com',
    );
  });
});

describe('the secret header of a webhook', () => {
  const written = (text: string) => {
    const file = join(temporaryFolder('secret'), 'header');
    writeFileSync(file, text, { mode: 0o600 });
    return () => readSecretHeader(file);
  };

  it.each(['X-Key: a', 'Authorization:Bearer abc==\n', 'x: a b c'])(
    'the daemon accepts %j as the secret header of a webhook',
    (text) => {
      expect(Object.keys(written(text)())).toHaveLength(1);
    },
  );

  it.each([
    ['', 'one line'],
    ['just a token', 'one line'],
    ['X-Key: ', 'one line'],
    ['X-Key: a\nX-Other: b', 'one line'],
    ['X-Key: a\r\n b', 'one line'],
    ['X Key: a', 'one line'],
    ['X-Key: ä', 'one line'],
    ['Host: example.com', 'must not be set'],
    ['content-length: 5', 'must not be set'],
    [`X-Key: ${'x'.repeat(9000)}`, 'larger than'],
  ])('the daemon refuses %j as the secret header of a webhook', (text, words) => {
    expect(written(text)).toThrow(words);
    expect(written(text)).not.toThrow('token');
  });
});

describe('[alarm-21] desktop notifications as alarm actions', () => {
  /** Creates a fake desktop program that writes its arguments to a file. */
  function desktop(name: string, script = 'for each in "$@"; do echo "$each" >> said; done') {
    const given = tools();
    writeFileSync(join(given.folder, name), `#!/bin/sh\n${script}\n`, { mode: 0o700 });
    const environment = { PATH: `${given.folder}:/usr/bin:/bin` };
    const said = () => readFileSync(join(given.folder, 'said'), 'utf8').trim().split('\n');
    return { given: { ...given, environment }, said };
  }

  it('the daemon shows an alarm notification with notify-send on Linux', async () => {
    const { given, said } = desktop('notify-send');
    expect(await act({ type: 'notification' }, given)).toEqual({ ok: true, said: 'shown' });
    expect(said()).toEqual([
      '--app-name=Holdfast',
      '--urgency=critical',
      '--',
      'too <full>: ALARM',
      "box, was OK: it's 5 &amp; more; $(touch x)",
    ]);
  });

  it('the daemon shows an alarm notification with osascript on macOS and passes the texts as arguments', async () => {
    const { given, said } = desktop('osascript');
    await act({ type: 'notification' }, { ...given, platform: 'darwin' });
    expect(said().slice(-3)).toEqual([
      '--',
      'too <full>: ALARM',
      "box, was OK: it's 5 & more; $(touch x)",
    ]);
    expect(said().slice(0, -3).join(' ')).not.toContain('full');
  });

  it('an alarm notification fails if its program is not installed', async () => {
    const given = tools({ environment: { PATH: temporaryFolder('empty') } });
    expect(await act({ type: 'notification' }, given)).toEqual({
      ok: false,
      said: 'notify-send is not installed on this machine',
    });
  });

  it('an alarm notification fails if the desktop refuses it', async () => {
    const { given } = desktop('notify-send', 'echo no bus >&2; exit 1');
    expect(await act({ type: 'notification' }, given)).toEqual({
      ok: false,
      said: 'notify-send exited with 1: no bus',
    });
  });
});

describe('[alarm-22] log entries as alarm actions', () => {
  it("the daemon logs an alarm's change of state, as a warning for the state ALARM", async () => {
    const lines: unknown[] = [];
    const logger: Logger = {
      ...silentLogger,
      warn: (fields, message) => lines.push({ ...fields, message }),
    };
    expect(await act({ type: 'log' }, tools({ logger }))).toEqual({ ok: true, said: 'written' });
    expect(lines).toEqual([
      {
        alarm: 'too <full>',
        bucket: 'box',
        from: 'OK',
        to: 'ALARM',
        reason: TRANSITION.reason,
        isTest: false,
        message: 'alarm changed its state',
      },
    ]);
  });
});
