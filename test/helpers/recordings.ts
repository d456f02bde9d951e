/** Constants that the recorder and the replay of client requests share. */

import { join } from 'node:path';
import type { AccessKey } from '../../src/identity/identity.ts';
import { accessKey } from './wire-bench.ts';

export const RECORDED_FOLDER = join(import.meta.dirname, '../wire/recorded');

/** Access key that signed the recorded requests. */
export const RECORDER: AccessKey = accessKey;

/** Objects in the bucket before the client starts: contents by key. */
export const BEFORE: Readonly<Record<string, string>> = {
  'hello.txt': 'hello world',
  'folder/one.txt': 'one',
  'folder/ü two+.txt': 'two',
};

/** Content that clients upload. */
export const CONTENT = 'recorded bytes\n';

/** Content that is larger than one chunk of a stream. */
export const LARGE_CONTENT = CONTENT.repeat(5000);

/** Key of the upload, unless the recording needs another. */
export const KEY = 'new ü+%.txt';
