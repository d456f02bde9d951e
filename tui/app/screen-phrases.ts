/** The palette's phrases that belong to a screen. */

import { BUCKET_PHRASES } from '../screens/buckets/phrases.ts';
import { JOB_PHRASES } from '../screens/jobs/phrases.ts';
import { RESTORE_PHRASES } from '../screens/restore/phrases.ts';
import type { Phrase } from '../ui/phrase.ts';

export const SCREEN_PHRASES: readonly Phrase[] = [
  ...BUCKET_PHRASES,
  ...JOB_PHRASES,
  ...RESTORE_PHRASES,
];
