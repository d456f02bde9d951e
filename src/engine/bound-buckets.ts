/** The configurations of a bucket that are kept as documents, as one caller may read and put them. */

import type * as Cors from '../object-store/cors.ts';
import { checkCorsRules } from '../object-store/rules/cors.ts';
import { checkWebsite } from '../object-store/rules/website.ts';
import type * as Website from '../object-store/website.ts';
import { BoundCalls } from './bound-calls.ts';
import { readCors, readWebsite } from './browser-config.ts';
import type { BucketTarget } from './commands.ts';

export class BoundBuckets extends BoundCalls implements Cors.CorsKeeper, Website.WebsiteKeeper {
  async getCors({ bucket }: BucketTarget): Promise<Cors.CorsConfiguration> {
    return readCors(this.parts.reader, this.bucket(bucket, 'GetBucketCORS'));
  }

  async putCors({ bucket, rules }: Cors.PutCorsRequest): Promise<void> {
    checkCorsRules(rules);
    const document: Cors.CorsConfiguration = { rules };
    return this.configure(bucket, { action: 'PutBucketCORS', kind: 'cors', document });
  }

  async deleteCors({ bucket }: BucketTarget): Promise<void> {
    const action = 'PutBucketCORS';
    return this.configure(bucket, { action, kind: 'cors', document: undefined });
  }

  async getWebsite({ bucket }: BucketTarget): Promise<Website.WebsiteConfiguration> {
    return readWebsite(this.parts.reader, this.bucket(bucket, 'GetBucketWebsite'));
  }

  async putWebsite({ bucket, website }: Website.PutWebsiteRequest): Promise<void> {
    checkWebsite(website);
    const action = 'PutBucketWebsite';
    return this.configure(bucket, { action, kind: 'website', document: website });
  }

  async deleteWebsite({ bucket }: BucketTarget): Promise<void> {
    const action = 'DeleteBucketWebsite';
    return this.configure(bucket, { action, kind: 'website', document: undefined });
  }
}
