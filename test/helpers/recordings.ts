/** What recording requests of real clients and replaying them have in common. */

import { join } from 'node:path';
import type { AccessKey } from '../../src/identity/identity.ts';
import { accessKey } from './wire-bench.ts';

export const RECORDED_FOLDER = join(import.meta.dirname, '../wire/recorded');

/** Who signed the recorded requests. */
export const RECORDER: AccessKey = accessKey;

/** What is in the bucket before the client comes. */
export const BEFORE: Readonly<Record<string, string>> = {
  'hello.txt': 'hello world',
  'folder/one.txt': 'one',
  'folder/ü two+.txt': 'two',
};

/** What clients upload. */
export const CONTENT = 'recorded bytes\n';

/** Above the chunks that streams come in. */
export const LARGE_CONTENT = CONTENT.repeat(5000);

/** Where they upload it to, unless the recording is about something else. */
export const KEY = 'new ü+%.txt';
