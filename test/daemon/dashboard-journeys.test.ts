/**
 * Tests of five tasks in the dashboard. Each task must need at most 12 key presses and have the
 * intended effect in the store.
 */

import { expect, test } from 'vitest';

import { DASHBOARD_JOURNEYS, keysOf, MOST_KEYS } from '../tour/dashboard-journeys.ts';
import { walkJourney } from '../tour/walk-journey.ts';

test.each(DASHBOARD_JOURNEYS)(
  'with at most 12 key presses in the dashboard, a user can $title',
  async (journey) => {
    expect(keysOf(journey)).toBeLessThanOrEqual(MOST_KEYS);
    expect(await walkJourney(journey)).toBeUndefined();
  },
);
