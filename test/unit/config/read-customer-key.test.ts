/** Tests of customer keys from files and commands. No error may show a key. */

import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import type { CustomerKeySource } from '../../../src/config/customer-key.ts';
import { KeySourceError, readCustomerKey } from '../../../src/config/read-customer-key.ts';
import { customerKeyBytes } from '../../helpers/customer-keys.ts';
import { temporaryFolder } from '../../helpers/temporary-folder.ts';

const KEY = customerKeyBytes('a');
const BASE64 = KEY.toString('base64');

function fileOf(content: string | Buffer, mode = 0o600): CustomerKeySource {
  const file = join(temporaryFolder('key'), 'key');
  writeFileSync(file, content);
  chmodSync(file, mode);
  return { file };
}

const commandOf = (script: string): CustomerKeySource => ({ command: ['/bin/sh', '-c', script] });

describe('valid customer keys', () => {
  test.each([
    ['as 32 raw bytes', () => fileOf(KEY)],
    ['as base64 with surrounding white space', () => fileOf(` ${BASE64}\n`, 0o400)],
    ['from a command', () => commandOf(`echo ${BASE64}; echo chatter >&2`)],
  ])('Holdfast reads a customer key %s', async (_, source) => {
    expect((await readCustomerKey(source())).equals(KEY)).toBe(true);
  });
});

describe('invalid customer keys', () => {
  test.each([
    [
      'from a file that does not exist',
      () => ({ file: '/nowhere/key' }),
      'the file does not exist',
    ],
    [
      'from a file that other users may read',
      () => fileOf(KEY, 0o640),
      'other users may read or change it',
    ],
    ['from a file that is too short', () => fileOf(KEY.subarray(1)), 'it does not contain a key'],
    [
      'from a file that is too long',
      () => fileOf(`${BASE64}${BASE64}`),
      'it does not contain a key',
    ],
    ['from a folder', () => ({ file: '/' }), 'use key file /'],
    [
      'from a program that does not exist',
      () => ({ command: ['/nowhere/p'] }),
      'the program does not exist',
    ],
    [
      'from a command that prints it and then fails',
      () => commandOf(`echo ${BASE64}; exit 3`),
      'exited with code 3',
    ],
    [
      'from a command that prints too much text',
      () => commandOf(`yes ${BASE64}`),
      'too large for a key',
    ],
    ['from a command that prints nothing', () => commandOf('true'), 'its output is not a key'],
    ['from a command that is killed', () => commandOf('kill -9 $$'), 'it was killed'],
  ])('Holdfast reads no customer key %s and explains why', async (_, source, reason) => {
    const refused = await readCustomerKey(source()).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(KeySourceError);
    const text = String(refused);
    expect(text).toContain(reason);
    expect(text).not.toContain(BASE64.slice(0, 8));
  });

  test('Holdfast stops reading a customer key when the signal is aborted', async () => {
    const abort = new AbortController();
    const reading = readCustomerKey(commandOf('sleep 60'), abort.signal);
    abort.abort(new Error('stopped'));
    await expect(reading).rejects.toThrow('stopped');
  });
});
