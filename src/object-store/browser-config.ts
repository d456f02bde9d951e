/** What buckets have for browsers, told whoever asks: preflights and websites know no caller. It gives no rights. */

import type { CorsRule } from './cors.ts';
import type { WebsiteConfiguration } from './website.ts';

export interface BrowserConfig {
  /** None for a bucket without rules, and for one that is not there. */
  corsRules(bucket: string): readonly CorsRule[];
  /** Throws `NoSuchBucket` or `NoSuchWebsiteConfiguration`. */
  website(bucket: string): WebsiteConfiguration;
}
