/**
 * Tests of another client that changes the bucket of a job. As soon as that client has its
 * response, the job must not be `in sync` any more.
 */

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';

import { expect, onTestFinished, test } from 'vitest';

import { startDaemonHere } from '../helpers/daemon-here.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import { makeTree } from '../helpers/tree.ts';
import { until } from '../helpers/until.ts';

const BUCKET = 'docs';

test('a job whose bucket another client empties is not in sync until all files are uploaded again', async () => {
  const folder = temporaryFolder('hf-heard');
  const [root, home] = [join(folder, BUCKET), join(folder, 'home')];
  mkdirSync(root);
  makeTree(root, 20);
  const daemon = await startDaemonHere(home);
  onTestFinished(() => daemon.stop());
  const { client } = daemon;
  await client.call('jobs.add', { folder: root });
  await client.call('jobs.settled', { name: BUCKET });
  const status = async () => {
    const { jobs } = await client.call('status', {});
    return jobs.map(({ inSync, comparedAt }) => ({ inSync, comparedAt }));
  };
  await until(status, ([job]) => job?.inSync === true);
  const keys = async () => {
    const { versions } = await client.call('versions.list', { bucket: BUCKET });
    return versions.filter(({ isLatest, kind }) => isLatest && kind === 'version').length;
  };
  const before = await keys();
  const { versions } = await client.call('versions.list', { bucket: BUCKET });
  const objects = versions.map(({ key, versionId }) => ({ key, versionId }));
  await client.call('objects.deleteMany', { bucket: BUCKET, objects });
  expect(await status()).toMatchObject([{ inSync: false }]);
  // The embedded store notifies the job of each change, so the status contains no time of the last
  // comparison.
  expect(await until(status, ([job]) => job?.inSync === true)).toEqual([{ inSync: true }]);
  expect(await keys()).toBe(before);
});
