/** The palette commands of all screens. */

import { BUCKET_PHRASES } from '../screens/buckets/phrases.ts';
import { JOB_PHRASES } from '../screens/jobs/phrases.ts';
import { KEY_PHRASE } from '../screens/objects/key-phrase.ts';
import { RESTORE_PHRASES } from '../screens/restore/phrases.ts';
import type { Phrase } from '../ui/phrase.ts';

export const SCREEN_PHRASES: readonly Phrase[] = [
  ...BUCKET_PHRASES,
  KEY_PHRASE,
  ...JOB_PHRASES,
  ...RESTORE_PHRASES,
];
