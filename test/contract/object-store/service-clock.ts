/** Claims about the service's clock. */

import { describe, expect, test } from 'vitest';

import type { Subject } from './subject.ts';

export function testServiceClock(subject: Subject): void {
  describe('the clock', () => {
    test('the clock of the service is returned, does not go back, and is returned for a missing bucket too', async () => {
      const bucket = await subject.bucket();
      const first = await subject.store.serviceTime({ bucket });
      const second = await subject.store.serviceTime({ bucket: `${bucket}-none` });
      expect(first?.now).toBeGreaterThan(Date.UTC(2020));
      expect(second?.now).toBeGreaterThanOrEqual(first?.now ?? Number.POSITIVE_INFINITY);
    });
  });
}
