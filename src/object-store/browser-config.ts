/** CORS and website configuration, read without a caller: preflights and website requests are anonymous. It grants no permissions. */

import type { CorsRule } from './cors.ts';
import type { WebsiteConfiguration } from './website.ts';

export interface BrowserConfig {
  /** Empty for a bucket that has no rules or does not exist. */
  corsRules(bucket: string): readonly CorsRule[];
  /** Throws `NoSuchBucket` or `NoSuchWebsiteConfiguration`. */
  website(bucket: string): WebsiteConfiguration;
}
