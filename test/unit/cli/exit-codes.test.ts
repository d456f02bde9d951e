import { describe, expect, it } from 'vitest';

import { CommandError, usageError } from '../../../src/cli/command-error.ts';
import { failureOf } from '../../../src/cli/exit-codes.ts';
import { ConfigError } from '../../../src/config/config-error.ts';
import { ControlError } from '../../../src/control/control-error.ts';

const systemError = (code: string) => Object.assign(new Error(`${code}: no`), { code });

describe('failures', () => {
  it.each([
    ['a usage error', usageError('no', 'so'), { exitCode: 2, code: 'Usage', hint: 'so' }],
    [
      'a folder that is none',
      new CommandError('FolderNotUsable', 'no'),
      { exitCode: 1, code: 'FolderNotUsable' },
    ],
    [
      'no daemon',
      new ControlError('NotRunning', 'no'),
      { exitCode: 1, code: 'NotRunning', hint: expect.stringContaining('holdfast up') },
    ],
    [
      'a refusal of the store',
      new ControlError('Storage', 'no', { storageCode: 'NoSuchBucket', hint: 'so' }),
      { exitCode: 1, code: 'NoSuchBucket', hint: 'so' },
    ],
    [
      'a bucket that is not there',
      new ControlError('Storage', 'no', { storageCode: 'NoSuchBucket' }),
      { exitCode: 1, code: 'NoSuchBucket', hint: expect.stringContaining('holdfast mb') },
    ],
    [
      'a disk that is full',
      new ControlError('Storage', 'no', { storageCode: 'InsufficientStorage' }),
      { hint: expect.stringContaining('make room') },
    ],
    [
      'a database without room for more',
      systemError('SQLITE_FULL'),
      { exitCode: 1, code: 'SQLITE_FULL', hint: expect.stringContaining('make room') },
    ],
    [
      'a bucket that is not empty',
      new ControlError('Storage', 'no', { storageCode: 'BucketNotEmpty' }),
      { hint: expect.stringContaining('--all-versions') },
    ],
    [
      'an object whose key was not given',
      new ControlError('Storage', 'no', {
        storageCode: 'InvalidRequest',
        details: { CustomerKey: 'needed' },
      }),
      { code: 'InvalidRequest', hint: expect.stringContaining('--key-file') },
    ],
    ['a bad config', new ConfigError('c.yaml', []), { exitCode: 1, code: 'Config' }],
    ['a system error', systemError('ENOSPC'), { exitCode: 1, code: 'ENOSPC' }],
    ['Ctrl-C', new DOMException('stop', 'AbortError'), { exitCode: 1, code: 'Interrupted' }],
    ['a defect', new TypeError('x'), { exitCode: 1, code: 'Internal', defect: true }],
  ])('%s has the expected exit code, error code and hint', (_, error, failure) => {
    expect(failureOf(error)).toMatchObject(failure);
  });

  it('a closed output pipe is not a failure', () => {
    expect(failureOf(systemError('EPIPE'))).toBe(undefined);
  });
});
