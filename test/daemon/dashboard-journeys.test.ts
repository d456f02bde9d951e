/** Tests of five journeys in the dashboard: each needs at most 12 keys, and reaches its goal in the store. */

import { expect, test } from 'vitest';

import { DASHBOARD_JOURNEYS, keysOf, MOST_KEYS } from '../tour/dashboard-journeys.ts';
import { walkJourney } from '../tour/walk-journey.ts';

test.each(DASHBOARD_JOURNEYS)('a user can $title with at most 12 key presses', async (journey) => {
  expect(keysOf(journey)).toBeLessThanOrEqual(MOST_KEYS);
  expect(await walkJourney(journey)).toBeUndefined();
});
