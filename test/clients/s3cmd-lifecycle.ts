/** Checks of bucket lifecycle rules with s3cmd. */

import assert from 'node:assert/strict';

import { writeContent } from './content.ts';
import type { Lane } from './lane.ts';
import type { S3cmd } from './s3cmd.ts';

export async function checkLifecycle(lane: Lane, { s3cmd, refused }: S3cmd): Promise<void> {
  const url = `s3://${lane.bucketName('lifecycle')}/`;
  await s3cmd('mb', url);

  await lane.check(
    'setlifecycle stores rules that getlifecycle prints, and dellifecycle removes them',
    async () => {
      const document =
        '<LifecycleConfiguration><Rule><ID>old</ID><Filter><Prefix>a/</Prefix></Filter><Status>Enabled</Status>' +
        '<Expiration><Days>3</Days></Expiration></Rule></LifecycleConfiguration>';
      writeContent(lane.path('lifecycle.xml'), document);
      await s3cmd('setlifecycle', lane.path('lifecycle.xml'), url);
      assert.match(await s3cmd('getlifecycle', url), /<ID>old<.*<Prefix>a\/<.*<Days>3</s);
      writeContent(lane.path('lifecycle.xml'), document.replace('<Days>3<', '<Days>0<'));
      assert.match(
        await refused('setlifecycle', lane.path('lifecycle.xml'), url),
        /400 \(InvalidArgument\)/,
      );
      assert.match(await s3cmd('getlifecycle', url), /<ID>old<.*<Days>3</s);
      await s3cmd('dellifecycle', url);
      assert.doesNotMatch(await s3cmd('info', url), /Expiration.rule: .*a\//i);
    },
  );

  await lane.check('expire creates a lifecycle rule that info prints', async () => {
    await s3cmd('expire', '--expiry-days=9', '--expiry-prefix=tmp/', url);
    assert.match(await s3cmd('info', url), /'tmp\/' will expire in '9' day/);
  });
}
