/** Declares the control methods that check and repair the embedded store, and that trust the clock. */

import { z } from 'zod';

import { storeCheckSchema, storeRepairSchema } from '../store-shapes.ts';
import { empty } from './people.ts';

export const STORE_METHODS = {
  /**
   * Checks the tables and files of the store against each other and, if `deep` is true, reads every byte. Changes
   * nothing.
   */
  'store.check': {
    summary: 'check the tables and files of the embedded store against each other',
    danger: 'reads',

    /** `id` is chosen by the caller, and identifies the `store.progress` events. */
    params: z.object({ deep: z.boolean(), id: z.string() }),
    result: storeCheckSchema,
  },
  /** Repairs what can be derived from other data. Removes no version. */
  'store.repair': {
    summary: 'repair what can be derived from other data; removes no version',
    danger: 'destroys',

    params: z.object({ deep: z.boolean(), id: z.string() }),
    result: storeRepairSchema,
  },
  /**
   * Sets the trusted time, by which locks are evaluated, to the clock, which the user has confirmed. Returns how far
   * the clock was ahead.
   */
  'store.trustClock': {
    summary: 'set the trusted time, which ends locks, to the time of the clock',
    danger: 'destroys',
    params: empty,
    result: z.object({ clockAheadMs: z.number() }),
  },
} as const;
