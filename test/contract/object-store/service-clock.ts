/** Contract tests of the clock of the storage service. */

import { describe, expect, test } from 'vitest';

import type { Subject } from './subject.ts';

export function testServiceClock(subject: Subject): void {
  describe('the clock of the service', () => {
    test('the store returns its time even for a missing bucket, and its time never goes back', async () => {
      const bucket = await subject.bucket();
      const first = await subject.store.serviceTime({ bucket });
      const second = await subject.store.serviceTime({ bucket: `${bucket}-none` });
      expect(first?.now).toBeGreaterThan(Date.UTC(2020));
      expect(second?.now).toBeGreaterThanOrEqual(first?.now ?? Number.POSITIVE_INFINITY);
    });
  });
}
