/**
 * Tests of `holdfast support-bundle`. The bundle must have the documented contents, and must not
 * contain any of several planted secrets.
 */

import {
  appendFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';

import { expect, it, onTestFinished } from 'vitest';

import { systemClock } from '../../src/base/clock.ts';
import { startDaemonHere } from '../helpers/daemon-here.ts';
import { runCli, parsedJson } from '../helpers/run-cli.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';

const SECRETS = {
  file: 'wJalrXUtnFEMI/K7MDENG+file',
  command: 'planted-secret-of-a-command',
  argument: 'planted-argument-of-a-command',
  environment: 'planted-secret-of-the-environment',
  comment: 'planted-in-a-comment',
  hook: 'planted-path-of-a-webhook',
  beat: 'planted-token-of-a-heartbeat',
  signature: '5d672d79c15b13162d9279b0855cfba6789a8edb4c82c400e06b5924a6f2b5d7',
  password: 'planted-password-of-a-proxy',
  header: 'planted-authorization-header',
};

/** Log lines with secrets, as a programming mistake could write them. */
const BAD_LINES = [
  {
    msg: `sent ${SECRETS.file}`,
    url: `http://x/b/k?X-Amz-Credential=AKID&X-Amz-Signature=${SECRETS.signature}`,
  },
  { msg: `proxy http://ann:${SECRETS.password}@proxy:3128`, authorization: SECRETS.header },
  { msg: `Authorization: AWS4-HMAC-SHA256 Credential=AKID, Signature=${SECRETS.signature}` },
  { msg: `by ${SECRETS.command}, ${SECRETS.environment}, ${encodeURIComponent(SECRETS.file)}` },
];

it('the support bundle contains the status, findings, log, versions and configuration, and no secret', async () => {
  const place = temporaryFolder('hf-support');
  const home = join(place, 'home');
  mkdirSync(join(home, 'credentials'), { recursive: true, mode: 0o700 });
  mkdirSync(join(place, 'docs'));
  const key = (secretAccessKey: string) => JSON.stringify({ accessKeyId: 'AKID', secretAccessKey });
  writeFileSync(join(home, 'credentials', 'one.json'), key(SECRETS.file), { mode: 0o600 });
  const target = (name: string, rest = '') =>
    `  - {name: ${name}, endpoint: 'http://127.0.0.1:1'${rest}}\n`;
  const script = `echo '${key(SECRETS.command)}' # ${SECRETS.argument}`;
  writeFileSync(
    join(home, 'config.yaml'),
    `# the password is ${SECRETS.comment}\nstorage: {port: 0}\nalerts:\n  actions:\n` +
      `    - {type: webhook, url: 'https://hooks.example.com/${SECRETS.hook}'}\n` +
      `    - {type: command, argv: [/usr/bin/logger, ${SECRETS.argument}]}\ntargets:\n` +
      target('one') +
      target('two', `, credentials: {command: [sh, -c, ${JSON.stringify(script)}]}`) +
      target('three', ', credentials: {environment: PLANTED}') +
      `jobs:\n  - {name: docs, folder: ../docs, bucket: docs, heartbeatUrl: 'https://beats.example.com/${SECRETS.beat}'}\n`,
    { mode: 0o600 },
  );
  const daemon = await startDaemonHere(home);
  onTestFinished(() => daemon.stop());
  await daemon.client.call('jobs.settled', { name: 'docs' });
  const { secretAccessKey } = await daemon.client.call('credentials', {});
  for (const line of [...BAD_LINES, { msg: secretAccessKey }])
    appendFileSync(join(home, 'state', 'holdfast.log'), `${JSON.stringify(line)}\n`);

  const folder = join(place, 'bundle');
  const environment = {
    PLANTED_ACCESS_KEY_ID: 'AKID',
    PLANTED_SECRET_ACCESS_KEY: SECRETS.environment,
  };
  const env = { HOLDFAST_HOME: home, PATH: process.env['PATH'], ...environment };
  const options = { env, clock: systemClock };
  const { exitCode, stdout } = await runCli(['support-bundle', folder], options);
  expect(exitCode).toBe(0);
  const read = (name: string) => readFileSync(join(folder, name), 'utf8');
  const all = readdirSync(folder).map(read).join('\n') + stdout;
  for (const secret of [...Object.values(SECRETS), secretAccessKey])
    expect(all).not.toContain(secret);

  expect(parsedJson(read('status.json'))).toMatchObject({ jobs: [{ name: 'docs' }] });
  expect(parsedJson(read('config.json'))).toMatchObject({
    jobs: [{ name: 'docs', heartbeatUrl: 'https://beats.example.com' }],
    targets: [{ name: 'one' }, { credentials: { command: ['sh', '***'] } }, {}],
  });
  expect(parsedJson(read('versions.json'))).toMatchObject({ node: process.versions.node });
  expect(read('doctor.json')).toContain('"service one"');
  expect(read('log.jsonl')).toContain('daemon: started');
  expect(statSync(folder).mode & 0o777).toBe(0o700);

  const again = await runCli(['support-bundle', folder], options);
  expect(again).toMatchObject({ exitCode: 1 });
  expect(again.stderr).toContain('it already exists');
});

it('`support-bundle` works without a daemon, and with an invalid configuration', async () => {
  const home = temporaryFolder('hf-support-none');
  writeFileSync(join(home, 'config.yaml'), 'jobs: 7\n', { mode: 0o600 });
  const folder = join(home, 'bundle');
  const { exitCode } = await runCli(['support-bundle', folder], { env: { HOLDFAST_HOME: home } });
  expect(exitCode).toBe(0);
  expect(readFileSync(join(folder, 'status.json'), 'utf8')).toContain('is not running');
  expect(readFileSync(join(folder, 'config.json'), 'utf8')).toContain('must be a list');
});
