/**
 * Declares reads of CORS and website configurations without authorization, because preflights and website requests are
 * anonymous.
 */

import type { CorsRule } from './cors.ts';
import type { WebsiteConfiguration } from './website.ts';

export interface BrowserConfig {
  /** Returns the CORS rules of the bucket. The list is empty if the bucket has no rules or does not exist. */
  corsRules(bucket: string): readonly CorsRule[];
  /** Returns the website configuration of the bucket. Throws `NoSuchBucket` or `NoSuchWebsiteConfiguration`. */
  website(bucket: string): WebsiteConfiguration;
}
