/** The palette's phrases that belong to a screen. */

import type { Phrase } from './phrases.ts';

export const SCREEN_PHRASES: readonly Phrase[] = [];
