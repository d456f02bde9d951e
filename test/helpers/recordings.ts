/** Constants for recording and replaying the requests of S3 clients. */

import { join } from 'node:path';
import type { AccessKey } from '../../src/identity/identity.ts';
import { accessKey } from './wire-bench.ts';

export const RECORDED_FOLDER = join(import.meta.dirname, '../wire/recorded');

/** Access key that signed the recorded requests. */
export const RECORDER: AccessKey = accessKey;

/** Contents of the bucket before the client starts, by key. */
export const BEFORE: Readonly<Record<string, string>> = {
  'hello.txt': 'hello world',
  'folder/one.txt': 'one',
  'folder/ü two+.txt': 'two',
};

export const CONTENT = 'recorded bytes\n';

/** Content that is larger than one chunk of a stream. */
export const LARGE_CONTENT = CONTENT.repeat(5000);

/** Key of the uploaded object, unless a recording needs another key. */
export const KEY = 'new ü+%.txt';
