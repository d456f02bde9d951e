/** The configurations of a bucket that are kept as documents, as one caller may read and put them. */

import type * as Cors from '../../object-store/cors.ts';
import type {
  LifecycleKeeper,
  LifecycleRule,
  NewLifecycleRule,
} from '../../object-store/lifecycle.ts';
import type { PutObjectResult } from '../../object-store/object-store.ts';
import { checkCorsRules } from '../../object-store/rules/cors.ts';
import { checkLifecycle, nameRules } from '../../object-store/rules/lifecycle.ts';
import { checkWebsite } from '../../object-store/rules/website.ts';
import type * as Website from '../../object-store/website.ts';
import { BoundCalls } from './bound-calls.ts';
import { readCors, readWebsite } from '../reads/browser-config.ts';
import type { BucketTarget } from '../writes/commands/commands.ts';
import { expirationOfWritten, readLifecycle } from '../reads/read-lifecycle.ts';

type Keepers = Cors.CorsKeeper & LifecycleKeeper & Website.WebsiteKeeper;

export class BoundBuckets extends BoundCalls implements Keepers {
  async getLifecycle({ bucket }: BucketTarget): Promise<readonly LifecycleRule[]> {
    return readLifecycle(this.parts.reader, this.bucket(bucket, 'GetLifecycleConfiguration'));
  }

  async putLifecycle({
    bucket,
    rules,
  }: BucketTarget & { readonly rules: readonly NewLifecycleRule[] }): Promise<void> {
    const action = 'PutLifecycleConfiguration';
    // Nobody is told what is wrong with rules that they may not put.
    this.bucket(bucket, action);
    checkLifecycle(rules);
    return this.configure(bucket, { action, kind: 'lifecycle', document: nameRules(rules) });
  }

  async deleteLifecycle({ bucket }: BucketTarget): Promise<void> {
    const action = 'PutLifecycleConfiguration';
    return this.configure(bucket, { action, kind: 'lifecycle', document: undefined });
  }

  /** With the day on which it expires, where a rule lets it. */
  protected expiring<Written extends PutObjectResult>(
    { bucket, key }: { readonly bucket: string; readonly key: string },
    written: Written,
  ): Written {
    const { reader } = this.parts;
    // It is committed, also where the store was closed before its answer came.
    if (!reader.database.open) return written;
    const expiration = expirationOfWritten(reader, bucket, key, written.versionId);
    return expiration ? { ...written, expiration } : written;
  }

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
