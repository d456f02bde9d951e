/**
 * Defines the control methods that check and repair the embedded store, and that set its trusted time to the time of
 * the clock.
 */

import { z } from 'zod';

import { storeCheckSchema, storeRepairSchema } from '../store-shapes.ts';
import { empty } from './people.ts';

export const STORE_METHODS = {
  /**
   * Checks the tables and files of the store against each other. If `deep` is true, also reads every byte. Changes
   * nothing.
   */
  'store.check': {
    summary: 'check the tables and files of the embedded store against each other',
    danger: 'reads',

    /** `id` is chosen by the caller and identifies the `store.progress` events. */
    params: z.object({ deep: z.boolean(), id: z.string() }),
    result: storeCheckSchema,
  },
  /** Repairs everything that can be derived from other data. Never removes a version. */
  'store.repair': {
    summary: 'repair what can be derived from other data; removes no version',
    danger: 'destroys',

    params: z.object({ deep: z.boolean(), id: z.string() }),
    result: storeRepairSchema,
  },
  /**
   * Sets the trusted time to the time of the clock, after the user has confirmed that the clock is correct. Locks
   * are evaluated by the trusted time. Returns how far the clock was ahead.
   */
  'store.trustClock': {
    summary: 'set the trusted time, which ends locks, to the time of the clock',
    danger: 'destroys',
    params: empty,
    result: z.object({ clockAheadMs: z.number() }),
  },
} as const;
