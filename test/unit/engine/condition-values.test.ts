/** Tests of the request values that policy conditions are compared with. */

import { expect, test } from 'vitest';

import { askedOfList, RequestValues } from '../../../src/engine/access/condition-values.ts';
import { internalCaller } from '../../../src/object-store/caller.ts';

const LONG = 'a'.repeat(15_000);

test('[policy-34] the store compares policy conditions only with the first 1,024 characters of a value that the client sends', () => {
  const anonymous = internalCaller({ kind: 'anonymous' }, 0);
  const caller = { ...anonymous, userAgent: LONG, wire: { referer: LONG } };
  const asked = askedOfList({ prefix: LONG, delimiter: LONG });
  const conditions = new RequestValues({ caller, asked });
  for (const key of ['aws:useragent', 'aws:referer', 's3:prefix', 's3:delimiter']) {
    expect(conditions.get(key)).toEqual(['a'.repeat(1024)]);
  }
});

test('the store computes each request value once per access decision, even if a policy uses the value several times', () => {
  let reads = 0;
  const asked = () => {
    reads += 1;
    return { 's3:if-match': 'a' };
  };
  const version = () => {
    reads += 1;
    return undefined;
  };
  const caller = internalCaller({ kind: 'anonymous' }, 0);
  const conditions = new RequestValues({ caller, asked, version });
  for (let round = 0; round < 3; round++) {
    expect(conditions.get('s3:if-match')).toEqual(['a']);
    expect(conditions.get('s3:existingobjecttag/a')).toBeUndefined();
  }
  expect(reads).toBe(2);
});
