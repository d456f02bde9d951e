import { describe, expect, test } from 'vitest';

import { deleteStep, putStep } from '../../../src/object-store/rules/versioning.ts';

describe('[ver-7] null versions', () => {
  test.each([
    [undefined, { adds: 'null', removesNull: true, tellsVersionId: false }],
    ['Enabled' as const, { adds: 'new', removesNull: false, tellsVersionId: true }],
    ['Suspended' as const, { adds: 'null', removesNull: true, tellsVersionId: true }],
  ])('a put while versioning is %s has the effects %j', (versioning, step) => {
    expect(putStep(versioning)).toEqual(step);
  });

  test.each([
    [undefined, { adds: 'nothing', removesNull: true, tellsVersionId: false }],
    ['Enabled' as const, { adds: 'new', removesNull: false, tellsVersionId: true }],
    ['Suspended' as const, { adds: 'null', removesNull: true, tellsVersionId: true }],
  ])('a delete while versioning is %s has the effects %j', (versioning, step) => {
    expect(deleteStep(versioning)).toEqual(step);
  });
});
