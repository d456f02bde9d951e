import { describe, expect, test } from 'vitest';

import { deleteStep, putStep } from '../../../src/object-store/rules/versioning.ts';

describe('[ver-7] null versions', () => {
  test.each([
    [undefined, { adds: 'null', removesNull: true, returnsVersionId: false }],
    ['Enabled' as const, { adds: 'new', removesNull: false, returnsVersionId: true }],
    ['Suspended' as const, { adds: 'null', removesNull: true, returnsVersionId: true }],
  ])('a put while versioning is %s changes the versions as follows: %j', (versioning, step) => {
    expect(putStep(versioning)).toEqual(step);
  });

  test.each([
    [undefined, { adds: 'nothing', removesNull: true, returnsVersionId: false }],
    ['Enabled' as const, { adds: 'new', removesNull: false, returnsVersionId: true }],
    ['Suspended' as const, { adds: 'null', removesNull: true, returnsVersionId: true }],
  ])('a delete while versioning is %s changes the versions as follows: %j', (versioning, step) => {
    expect(deleteStep(versioning)).toEqual(step);
  });
});
