/** Tests of the table that maps system error codes to reasons and next steps. */

import { closeSync, mkdtempSync, openSync, rmdirSync, writeSync } from 'node:fs';
import { constants, tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import {
  diskErrorFix,
  diskErrorLine,
  diskErrorMeaning,
  failureReason,
} from '../../../src/base/disk-error.ts';

const errorOf = (work: () => unknown): unknown => {
  try {
    work();
  } catch (error) {
    return error;
  }
  throw new Error('the work did not fail');
};

test.each(['ENOSPC', 'EDQUOT', 'EACCES', 'EPERM', 'EROFS', 'ENAMETOOLONG', 'ELOOP'])(
  'the table of system errors has a reason and a next step for %s',
  (code) => {
    const error = Object.assign(new Error(`${code}: raw`), { code });
    expect(diskErrorMeaning(error)).not.toMatch(/E[A-Z]{3,}/);
    expect(diskErrorFix(error)).toBeDefined();
  },
);

test('a system error that is not in the table has the text of the operating system', () => {
  const error = Object.assign(
    new Error("EXDEV: cross-device link not permitted, rename 'a' -> 'b'"),
    {
      code: 'EXDEV',
      errno: -constants.errno.EXDEV,
    },
  );
  expect(diskErrorMeaning(error)).toBe(
    'the operating system reports: cross-device link not permitted',
  );
});

test('an error that is not a system error keeps its message', () => {
  const error = Object.assign(new Error('own words'), { code: 'ENOTDIR' });
  expect(diskErrorMeaning(new TypeError('x'))).toBeUndefined();
  expect(failureReason(error)).toBe('own words');
});

test('the text of a real system error names the failed step and the path', () => {
  const folder = mkdtempSync(join(tmpdir(), 'hf-disk-error-'));
  const missing = errorOf(() => openSync(join(folder, 'none/file'), 'w'));
  expect(diskErrorLine(missing)).toBe(
    `cannot open ${folder}/none/file: a file or folder does not exist`,
  );
  rmdirSync(folder);
  const full = openSync('/dev/full', 'w');
  expect(diskErrorLine(errorOf(() => writeSync(full, 'x')))).toBe(
    'the command failed: the disk is full',
  );
  closeSync(full);
});
