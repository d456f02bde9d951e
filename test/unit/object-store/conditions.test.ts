import { describe, expect, test } from 'vitest';

import {
  checkReadConditions,
  checkWriteConditions,
} from '../../../src/object-store/rules/conditions.ts';
import { refusal } from './refusal.ts';

describe('conditions of reads (If-Match and others)', () => {
  const SECOND = Date.UTC(2026, 0, 1);
  const current = { etag: 'aa', lastModifiedAt: SECOND + 999 };
  const [earlier, later] = [SECOND - 1000, SECOND + 1000];

  test.each([
    [undefined, undefined],
    [{}, undefined],
    [{ ifMatch: ['aa'] }, undefined],
    [{ ifMatch: ['bb', 'aa'] }, undefined],
    [{ ifMatch: ['*'] }, undefined],
    [{ ifMatch: ['bb'] }, 'PreconditionFailed'],
    [{ ifMatch: [] }, 'PreconditionFailed'],
    [{ ifNoneMatch: ['bb'] }, undefined],
    [{ ifNoneMatch: ['aa'] }, 'NotModified'],
    [{ ifNoneMatch: ['bb', 'aa'] }, 'NotModified'],
    [{ ifNoneMatch: ['*'] }, 'NotModified'],
    [{ ifUnmodifiedSince: SECOND }, undefined],
    [{ ifUnmodifiedSince: later }, undefined],
    [{ ifUnmodifiedSince: earlier }, 'PreconditionFailed'],
    [{ ifModifiedSince: SECOND }, 'NotModified'],
    [{ ifModifiedSince: later }, 'NotModified'],
    [{ ifModifiedSince: earlier }, undefined],
    [{ ifMatch: ['aa'], ifUnmodifiedSince: earlier }, undefined],
    [{ ifNoneMatch: ['bb'], ifModifiedSince: later }, undefined],
    [{ ifMatch: ['bb'], ifNoneMatch: ['aa'] }, 'PreconditionFailed'],
    [{ ifMatch: ['aa'], ifNoneMatch: ['aa'] }, 'NotModified'],
    [{ ifUnmodifiedSince: earlier, ifModifiedSince: later }, 'PreconditionFailed'],
  ])(
    'the store evaluates the read conditions %j for an object with the ETag aa: %s',
    (conditions, code) => {
      expect(refusal(() => checkReadConditions(conditions, current))?.code).toBe(code);
    },
  );

  test('the store includes the ETag and the date of the object in a NotModified error', () => {
    const error = refusal(() => checkReadConditions({ ifNoneMatch: ['aa'] }, current));
    expect(error?.details).toEqual({
      Condition: 'If-None-Match',
      ETag: 'aa',
      LastModified: '2026-01-01T00:00:00.999Z',
    });
  });
});

describe('conditions of writes', () => {
  test.each([
    [undefined, 'aa', undefined],
    [undefined, undefined, undefined],
    [{ ifNoneMatch: '*' as const }, undefined, undefined],
    [{ ifNoneMatch: '*' as const }, 'aa', 'PreconditionFailed'],
    [{ ifMatch: 'aa' }, 'aa', undefined],
    [{ ifMatch: '*' }, 'aa', undefined],
    [{ ifMatch: 'bb' }, 'aa', 'PreconditionFailed'],
    [{ ifMatch: 'aa' }, undefined, 'NoSuchKey'],
    [{ ifMatch: '*' }, undefined, 'NoSuchKey'],
    [{ ifMatch: 'aa', ifNoneMatch: '*' as const }, 'aa', 'PreconditionFailed'],
    [{ ifMatch: 'aa', ifNoneMatch: '*' as const }, undefined, 'NoSuchKey'],
  ])(
    'the store evaluates the write conditions %j for the current ETag %s: %s',
    (conditions, currentEtag, code) => {
      expect(refusal(() => checkWriteConditions(conditions, currentEtag))?.code).toBe(code);
    },
  );
});
