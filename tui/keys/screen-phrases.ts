/** The palette's phrases that belong to a screen. */

import { JOB_PHRASES } from '../screens/jobs/phrases.ts';
import type { Phrase } from './phrases.ts';

export const SCREEN_PHRASES: readonly Phrase[] = [...JOB_PHRASES];
