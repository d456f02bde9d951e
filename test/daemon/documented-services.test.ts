/**
 * Tests each documented command that contains the name of a remote service, with a service that
 * supports only the protocol `s3`.
 */

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, it, onTestFinished } from 'vitest';

import { helpBlocks } from '../docs/help-page.ts';
import { blocksOf, PAGES, pageText } from '../docs/pages.ts';
import { ownCommands } from '../docs/shell-commands.ts';
import { withoutProgress } from '../helpers/cli-process.ts';
import { type DaemonHere, startDaemonHere } from '../helpers/daemon-here.ts';
import { makeHome } from '../helpers/daemon-process.ts';
import { openS3Front } from '../helpers/s3-front.ts';
import { runCliHere } from '../helpers/run-cli.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';

/** Matches an endpoint as it appears in the documentation: a URL, ENDPOINT or $AWS_ENDPOINT_URL. */
const SERVICE = /^(?:https?:\/\/[^/]+|ENDPOINT|\$AWS_ENDPOINT_URL)(?=\/|$)/;
const INLINE = /`(holdfast [^`]+)`/g;

/** Returns the words of each command on a page. Commands within sentences are included. */
function commandsOf(page: string): string[][] {
  const inline = [...pageText(page).matchAll(INLINE)].map(([, command = '']) => command);
  const scripts = [...blocksOf(page).map(({ script }) => script), ...inline];
  return scripts.flatMap((script) => ownCommands(script));
}

const optionOf = (words: readonly string[], name: string) => words[words.indexOf(name) + 1] ?? '';
const TARGET = 'offsite';
/**
 * Returns true if a command uses a remote service and needs no bucket of another job. `npm run
 * tour` tests the commands that take over such a bucket.
 */
const namesService = (words: readonly string[]) =>
  !words.includes('--take-over') &&
  (optionOf(words, '--target') === TARGET ||
    ['--to', '--from'].some((name) => SERVICE.test(optionOf(words, name))));

const COMMANDS = [
  ...PAGES.flatMap((page) => commandsOf(page).map((words) => [page, words] as const)),
  ...(await helpBlocks()).flatMap(({ page, script }) =>
    ownCommands(script).map((words) => [page, words] as const),
  ),
].filter(([, words]) => namesService(words));

/**
 * Returns true if a command uses the protocol `svc`. `npm run test:systemd` tests these commands.
 */
const isOfHoldfast = (words: readonly string[]) => optionOf(words, '--protocol') === 'svc';

it('the documentation contains one service with the protocol svc, and more than ten services with s3', () => {
  const others = COMMANDS.filter(([, words]) => isOfHoldfast(words));
  expect(others.map(([page]) => page)).toEqual(['docs/how-to/service.md']);
  expect(COMMANDS.length - others.length).toBeGreaterThan(10);
});

it.each(
  COMMANDS.filter(([, words]) => !isOfHoldfast(words)).map(
    ([page, words]) => [page, words.join(' '), words] as const,
  ),
)('a command that %s documents works: holdfast %s', async (_page, _line, words) => {
  const place = temporaryFolder('hf-documented');
  const region = words.includes('--region') ? optionOf(words, '--region') : 'us-east-1';
  const store = await openStore(join(place, 'store'), region);
  const key = await store.client.call('credentials', {});
  const { url, signatures } = await openS3Front(key.endpointUrl);
  if (words.includes('--from')) await fill(store, join(place, 'filled'), placeOf(words));
  const { accessKeyId, secretAccessKey } = key;
  writeFileSync(join(place, 'ann.json'), JSON.stringify({ accessKeyId, secretAccessKey }), {
    mode: 0o600,
  });
  for (const name of ['FOLDER', 'Documents', 'Papers', 'Pictures']) makeFolder(join(place, name));
  const home = join(place, 'home');
  makeHome(home);
  if (words.includes('--target')) {
    const { client } = await openDaemon(home);
    await client.call('targets.add', { name: TARGET, endpoint: url, accessKeyId, secretAccessKey });
  }

  const argv = words.map((word) => word.replace(SERVICE, url).replace(/^~(?=\/)/, place));
  if (words[0] === 'up' && !words.includes('--once')) argv.push('--once');
  const attached = argv.filter((word) => word !== '--detach');
  // `init` would start a process as its daemon (init.test.ts). It uses a running daemon instead.
  if (words[0] === 'init') await openDaemon(home);
  const result = await runCliHere([...attached, '--home', home], {
    cwd: place,
    env: {
      HOLDFAST_TARGET_ACCESS_KEY_ID: accessKeyId,
      HOLDFAST_TARGET_SECRET_ACCESS_KEY: secretAccessKey,
    },
  });
  expect(withoutProgress(result)).toMatchObject({ exitCode: 0 });
  expect(new Set(signatures)).toEqual(new Set(['AWS4-HMAC-SHA256']));
});

async function openStore(home: string, region: string): Promise<DaemonHere> {
  makeHome(home, 0, `region: ${region}\n`);
  return openDaemon(home);
}

async function openDaemon(home: string): Promise<DaemonHere> {
  const daemon = await startDaemonHere(home);
  onTestFinished(() => daemon.stop());
  return daemon;
}

/** Backs up a folder to the bucket, so that commands find objects to restore. */
async function fill(
  { client }: DaemonHere,
  folder: string,
  place: { readonly bucket: string; readonly prefix: string },
): Promise<void> {
  makeFolder(folder);
  await client.call('jobs.add', { folder, ...place, name: 'filled' });
  await client.call('jobs.settled', { name: 'filled' });
}

function placeOf(words: readonly string[]) {
  const [, bucket = '', ...folders] = optionOf(words, '--from').replace(SERVICE, '').split('/');
  return { bucket, prefix: folders.map((name) => `${name}/`).join('') };
}

function makeFolder(folder: string): void {
  mkdirSync(folder);
  writeFileSync(join(folder, 'plan.txt'), 'a plan');
}
