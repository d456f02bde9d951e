/** Tests of the cache of upload times in the job's state database. */

import { join } from 'node:path';

import { expect, onTestFinished, test } from 'vitest';

import { ownTimes } from '../../../src/restore/own-times.ts';
import { openStateFile } from '../../../src/mirror/state/state-file.ts';
import { bytesBody } from '../../../src/object-store/body.ts';
import { openMirrorBench } from '../../helpers/mirror-bench.ts';

test('a job does not cache the upload time of a null version, because another client may have replaced it', async () => {
  const { home, store, bucket } = await openMirrorBench({ versioned: false, ownStore: true });
  const state = openStateFile(join(home, 'state.sqlite'));
  onTestFinished(() => state.close());
  const times = ownTimes({ store, bucket, prefix: '' }, state);
  const uploaded = async (metadata: Record<string, string>) => {
    const body = bytesBody(Buffer.from('content'));
    await store.putObject({ bucket, key: 'f', body, attributes: { metadata } });
    const { versions } = await store.listVersions({ bucket, prefix: 'f' });
    return versions[0] && times.ownTime(versions[0]);
  };
  const own = { 'holdfast-journal': 'j', 'holdfast-uploaded': '1.000' };
  expect(await uploaded(own)).toBe(1_000);
  expect(await uploaded({})).toBeUndefined();
});
