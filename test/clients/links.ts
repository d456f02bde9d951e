/** Checks of presigned URLs with curl, without an access key or additional headers. */

import assert from 'node:assert/strict';

import { assertSameBytes } from './content.ts';
import type { Lane } from './lane.ts';

export interface LinkChecks {
  /** Creates a presigned URL of the object. */
  readonly signed: () => Promise<string>;
  readonly key: string;
  readonly content: Uint8Array;
}

/** Returns curl arguments that make curl ignore the settings of the user. */
export function curlLine({ service }: Lane, ...args: string[]): string[] {
  const authority = service.caFile === undefined ? [] : ['--cacert', service.caFile];
  return ['-q', '--silent', '--show-error', '--globoff', ...authority, ...args];
}

export async function checkLinks(lane: Lane, { signed, key, content }: LinkChecks): Promise<void> {
  await lane.check('a presigned URL lets curl download the object', async () => {
    assertSameBytes(await lane.run('curl', curlLine(lane, '--fail', await signed())), content);
  });

  await lane.check('a presigned URL is rejected for another object', async () => {
    const link = (await signed()).replace(`/${encodeURIComponent(key)}?`, '/another?');
    const said = await lane.run('curl', curlLine(lane, link));
    assert.match(said.toString(), /<Code>SignatureDoesNotMatch</);
  });

  await lane.check('a presigned URL with a later expiry than signed is rejected', async () => {
    await assertBoundToItsEnd(lane, await signed());
  });
}

/**
 * Checks that a presigned URL works, and that it fails if its expiry time is changed by a second.
 */
export async function assertBoundToItsEnd(lane: Lane, link: string): Promise<void> {
  await lane.run('curl', curlLine(lane, '--fail', link));
  const later = link.replace(/(?<=Expires=)\d+/, (end) => String(Number(end) + 1));
  assert.notEqual(later, link);
  const said = await lane.run('curl', curlLine(lane, later));
  assert.match(said.toString(), /<Code>SignatureDoesNotMatch</);
}
