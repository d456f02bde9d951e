/** Tests of the errors that the daemon returns to its clients. */

import { expect, test } from 'vitest';

import { controlErrorOf } from '../../../daemon/control/wire-error.ts';
import { silentLogger } from '../../../src/base/logger.ts';

test('the error for a module that is missing after an upgrade suggests restarting the daemon', async () => {
  const gone = 'file:///nowhere/messages-B3Wx.js';
  const error: unknown = await import(/* @vite-ignore */ gone).catch((reason: unknown) => reason);
  expect(controlErrorOf(error, silentLogger)).toMatchObject({
    code: 'VersionMismatch',
    hint: 'to restart the daemon: holdfast down, then holdfast up',
  });
});

test('the daemon reports a defect to the client without the text of its error', () => {
  const { code, message } = controlErrorOf(new Error('/home/ann/secret'), silentLogger);
  expect(code).toBe('Internal');
  expect(message).not.toContain('ann');
});

test.each([
  ['ENOSPC', 'the disk is full'],
  ['EDQUOT', 'the disk quota of this user is used up'],
  ['EROFS', 'the disk is mounted read-only'],
  ['EACCES', 'permission denied'],
  ['EIO', 'the disk reports an error'],
  ['ENAMETOOLONG', 'the path is too long'],
  ['SQLITE_FULL', 'the disk is full'],
  ['SQLITE_IOERR_WRITE', 'the disk reports an error'],
  ['SQLITE_CORRUPT', 'pages of a database are damaged'],
])(
  'the daemon reports the system error %s with its reason and without the path',
  (code, meaning) => {
    const error = Object.assign(new Error('/home/ann/secret'), { code });
    const returned = controlErrorOf(error, silentLogger);
    expect(returned).toMatchObject({
      code: 'Failed',
      message: expect.stringContaining(meaning) as string,
    });
    expect(returned.message).not.toContain('ann');
  },
);
