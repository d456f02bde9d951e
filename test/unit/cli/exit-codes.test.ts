import { describe, expect, it } from 'vitest';

import { CommandError, usageError } from '../../../src/cli/output/command-error.ts';
import { failureOf } from '../../../src/cli/output/exit-codes.ts';
import { ConfigError } from '../../../src/config/config-error.ts';
import { ControlError } from '../../../src/control/control-error.ts';

const systemError = (code: string) => Object.assign(new Error(`${code}: no`), { code });

describe('errors of commands', () => {
  it.each([
    ['a usage error', usageError('no', 'so'), { exitCode: 2, code: 'Usage', hint: 'so' }],
    [
      'a folder that cannot be used',
      new CommandError('FolderNotUsable', 'no'),
      { exitCode: 1, code: 'FolderNotUsable' },
    ],
    [
      'an error because the daemon is not running',
      new ControlError('NotRunning', 'no'),
      { exitCode: 1, code: 'NotRunning', hint: expect.stringContaining('holdfast up') },
    ],
    [
      'an error of the store',
      new ControlError('Storage', 'no', { storageCode: 'NoSuchBucket', hint: 'so' }),
      { exitCode: 1, code: 'NoSuchBucket', hint: 'so' },
    ],
    [
      'an error for a bucket that does not exist',
      new ControlError('Storage', 'no', { storageCode: 'NoSuchBucket' }),
      { exitCode: 1, code: 'NoSuchBucket', hint: expect.stringContaining('holdfast s3 mb') },
    ],
    [
      'an error of a full disk',
      new ControlError('Storage', 'no', { storageCode: 'InsufficientStorage' }),
      { hint: expect.stringContaining('free space on the disk') },
    ],
    [
      'an error of a full database',
      systemError('SQLITE_FULL'),
      { exitCode: 1, code: 'SQLITE_FULL', hint: expect.stringContaining('free space on the disk') },
    ],
    [
      'an error for a bucket that is not empty',
      new ControlError('Storage', 'no', { storageCode: 'BucketNotEmpty' }),
      { hint: expect.stringContaining('--all-versions') },
    ],
    [
      'an error for an encrypted object without its customer key',
      new ControlError('Storage', 'no', {
        storageCode: 'InvalidRequest',
        details: { CustomerKey: 'needed' },
      }),
      { code: 'InvalidRequest', hint: expect.stringContaining('--key-file') },
    ],
    ['an invalid request', new ControlError('BadRequest', 'no'), { exitCode: 2 }],
    ['an invalid message', new ControlError('BadMessage', 'no'), { exitCode: 1 }],
    [
      'an invalid value that only the service detects',
      new ControlError('Storage', 'no', { storageCode: 'InvalidTag' }),
      { exitCode: 2, code: 'InvalidTag' },
    ],
    [
      'an invalid document',
      new ControlError('Storage', 'no', { storageCode: 'MalformedPolicy' }),
      { exitCode: 1, code: 'MalformedPolicy' },
    ],
    [
      'the answer no to a question',
      new CommandError('Declined', 'no'),
      { exitCode: 1, code: 'Declined' },
    ],
    [
      'an error code of a later release',
      new ControlError('Later' as 'Failed', 'no'),
      { exitCode: 1, code: 'Later' },
    ],
    ['an invalid configuration', new ConfigError('c.yaml', []), { exitCode: 1, code: 'Config' }],
    ['a system error', systemError('ENOSPC'), { exitCode: 1, code: 'ENOSPC' }],
    ['Ctrl-C', new DOMException('stop', 'AbortError'), { exitCode: 1, code: 'Interrupted' }],
    [
      'an unexpected exception',
      new TypeError('x'),
      { exitCode: 1, code: 'Internal', defect: true },
    ],
  ])(
    'the command line assigns an exit code, an error code and a hint to %s',
    (_, error, failure) => {
      expect(failureOf(error)).toMatchObject(failure);
    },
  );

  it('a closed output pipe is not an error', () => {
    expect(failureOf(systemError('EPIPE'))).toBe(undefined);
  });
});
