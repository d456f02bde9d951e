/** CORS and website configuration, read without authorization because preflights and website requests are anonymous. */

import type { CorsRule } from './cors.ts';
import type { WebsiteConfiguration } from './website.ts';

export interface BrowserConfig {
  /** Empty for a bucket that has no rules or does not exist. */
  corsRules(bucket: string): readonly CorsRule[];
  /** Throws `NoSuchBucket` or `NoSuchWebsiteConfiguration`. */
  website(bucket: string): WebsiteConfiguration;
}
