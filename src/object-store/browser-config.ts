/**
 * Defines reads of CORS and website configurations without authorization. CORS preflights and website requests need
 * such reads, because they are anonymous.
 */

import type { CorsRule } from './cors.ts';
import type { WebsiteConfiguration } from './website.ts';

export interface BrowserConfig {
  /** Returns the bucket's CORS rules. The list is empty if the bucket has no rules or does not exist. */
  corsRules(bucket: string): readonly CorsRule[];
  /** Returns the bucket's website configuration. Throws `NoSuchBucket` or `NoSuchWebsiteConfiguration`. */
  website(bucket: string): WebsiteConfiguration;
}
