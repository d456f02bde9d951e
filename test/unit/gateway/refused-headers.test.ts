/** Headers that we do not serve are refused, never ignored. */

import { describe, expect, test } from 'vitest';
import { refuseUnsupported } from '../../../src/gateway/refused-headers.ts';
import { amzDialect, svcDialect } from '../../../src/protocol/dialect.ts';

describe.each([svcDialect(), amzDialect])('in dialect $name', (dialect) => {
  const check = (suffix: string, value: string) => () =>
    refuseUnsupported([[dialect.headerPrefix + suffix, value]], dialect);

  test.each([
    ['server-side-encryption', 'AES256'],
    ['server-side-encryption-customer-key', 'secret'],
    ['copy-source-server-side-encryption-customer-key', 'secret'],
    ['tagging', 'a=b'],
    ['acl', 'public-read'],
    ['grant-read', 'id="x"'],
    ['website-redirect-location', '/x'],
    ['storage-class', 'GLACIER'],
    ['write-offset-bytes', '0'],
    ['mfa', '1'],
  ])('%s: %s is not implemented, and says which header', (suffix, value) => {
    expect(check(suffix, value)).toThrow(
      expect.objectContaining({
        code: 'NotImplemented',
        details: { Header: dialect.headerPrefix + suffix },
      }),
    );
  });

  test.each([
    ['acl', 'private'],
    ['storage-class', 'STANDARD'],
    ['meta-tagging', 'x'],
    ['content-sha256', 'x'],
    ['checksum-crc32', 'x'],
    ['sdk-checksum-algorithm', 'CRC32'],
    ['checksum-type', 'FULL_OBJECT'],
    ['mp-object-size', '1'],
  ])('%s: %s passes', (suffix, value) => {
    expect(check(suffix, value)).not.toThrow();
  });

  test('a key is never repeated in the message', () => {
    expect(check('server-side-encryption-customer-key', 'c2VjcmV0')).toThrow(
      expect.not.objectContaining({ message: expect.stringContaining('c2VjcmV0') as string }),
    );
  });
});
