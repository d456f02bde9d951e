/** Checks of CORS rules and websites with s3cmd. */

import assert from 'node:assert/strict';

import { writeContent } from './content.ts';
import type { Lane } from './lane.ts';
import type { S3cmd } from './s3cmd.ts';
import { preflight, visit } from './visitors.ts';

export async function checkBrowsers(lane: Lane, { s3cmd, refused }: S3cmd): Promise<void> {
  const bucket = lane.bucketName('browsers');
  const url = `s3://${bucket}/`;
  await s3cmd('mb', url);

  await lane.check(
    'setcors stores CORS rules that info prints, and delcors removes them',
    async () => {
      const rule =
        '<CORSConfiguration><CORSRule><AllowedOrigin>https://*.a.test</AllowedOrigin>' +
        '<AllowedMethod>GET</AllowedMethod><MaxAgeSeconds>60</MaxAgeSeconds></CORSRule></CORSConfiguration>';
      writeContent(lane.path('cors.xml'), rule);
      await s3cmd('setcors', lane.path('cors.xml'), url);
      assert.match(await s3cmd('info', url), /CORS: .*<AllowedOrigin>https:\/\/\*\.a\.test</s);
      assert.equal(await preflight(lane, bucket, 'https://app.a.test'), 200);
      assert.equal(await preflight(lane, bucket, 'https://b.test'), 403);
      writeContent(lane.path('cors.xml'), rule.replace('GET', 'PATCH'));
      assert.match(await refused('setcors', lane.path('cors.xml'), url), /400 \(InvalidRequest\)/);
      await s3cmd('delcors', url);
      assert.match(await s3cmd('info', url), /CORS: +none/);
    },
  );

  await lane.check(
    'ws-create configures a website that ws-info prints, and ws-delete removes it',
    async () => {
      await s3cmd('ws-create', '--ws-index=start.html', '--ws-error=error.html', url);
      const said = await s3cmd('ws-info', url);
      assert.match(said, /Index document: +start\.html/);
      assert.match(said, /Error document: +error\.html/);
      writeContent(lane.path('start.html'), 'start');
      await s3cmd('put', '--acl-public', lane.path('start.html'), url);
      assert.deepEqual(await visit(lane, bucket, ''), [200, 'start']);
      assert.match(
        await refused('ws-create', '--ws-index=a/b.html', url),
        /400 \(InvalidArgument\)/,
      );
      await s3cmd('ws-delete', url);
      assert.equal((await visit(lane, bucket, ''))[0], 404);
      assert.match(
        await s3cmd('ws-info', url),
        /unable to receive website configuration|none|Unable/i,
      );
    },
  );
}
