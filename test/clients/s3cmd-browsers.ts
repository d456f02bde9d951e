/** s3cmd: what a bucket has for browsers. */

import assert from 'node:assert/strict';

import { writeContent } from './content.ts';
import type { Lane } from './lane.ts';

export async function checkBrowsers(
  lane: Lane,
  s3cmd: (...args: string[]) => Promise<string>,
): Promise<void> {
  const url = `s3://${lane.bucketName('browsers')}/`;
  await s3cmd('mb', url);

  await lane.check('setcors and delcors: info tells the rules, until they are gone', async () => {
    const rule =
      '<CORSConfiguration><CORSRule><AllowedOrigin>https://*.a.test</AllowedOrigin>' +
      '<AllowedMethod>GET</AllowedMethod><MaxAgeSeconds>60</MaxAgeSeconds></CORSRule></CORSConfiguration>';
    writeContent(lane.path('cors.xml'), rule);
    await s3cmd('setcors', lane.path('cors.xml'), url);
    assert.match(await s3cmd('info', url), /CORS: .*<AllowedOrigin>https:\/\/\*\.a\.test</s);
    await s3cmd('delcors', url);
    assert.match(await s3cmd('info', url), /CORS: +none/);
  });

  await lane.check('ws-create, ws-info and ws-delete', async () => {
    await s3cmd('ws-create', '--ws-index=start.html', '--ws-error=error.html', url);
    const said = await s3cmd('ws-info', url);
    assert.match(said, /Index document: +start\.html/);
    assert.match(said, /Error document: +error\.html/);
    await s3cmd('ws-delete', url);
    assert.match(
      await s3cmd('ws-info', url),
      /unable to receive website configuration|none|Unable/i,
    );
  });
}
