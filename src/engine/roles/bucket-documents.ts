/**
 * Implements the roles for lifecycle rules, CORS rules and website configurations for one caller. The store keeps each
 * of these configurations as one document.
 */

import type * as Cors from '../../object-store/cors.ts';
import type {
  LifecycleKeeper,
  LifecycleRule,
  NewLifecycleRule,
} from '../../object-store/lifecycle.ts';
import { checkCorsRules } from '../../object-store/rules/cors.ts';
import { checkLifecycle, nameRules } from '../../object-store/rules/lifecycle.ts';
import { checkWebsite } from '../../object-store/rules/website.ts';
import type * as Website from '../../object-store/website.ts';
import type { CallerContext } from './caller-context.ts';
import { readCors, readWebsite } from '../reads/browser-config.ts';
import type { BucketTarget } from '../writes/commands/commands.ts';
import { readLifecycle } from '../reads/read-lifecycle.ts';

type Keepers = Cors.CorsKeeper & LifecycleKeeper & Website.WebsiteKeeper;

export class EngineDocuments implements Keepers {
  readonly #context: CallerContext;

  constructor(context: CallerContext) {
    this.#context = context;
  }

  async getLifecycle({ bucket }: BucketTarget): Promise<readonly LifecycleRule[]> {
    return readLifecycle(
      this.#context.parts.reader,
      this.#context.bucket(bucket, 'GetLifecycleConfiguration'),
    );
  }

  async putLifecycle({
    bucket,
    rules,
  }: BucketTarget & { readonly rules: readonly NewLifecycleRule[] }): Promise<void> {
    const action = 'PutLifecycleConfiguration';
    // Check the permission before the rules, so that a caller without permission learns nothing about the rules.
    this.#context.bucket(bucket, action);
    checkLifecycle(rules);
    return this.#context.configure(bucket, {
      action,
      kind: 'lifecycle',
      document: nameRules(rules),
    });
  }

  async deleteLifecycle({ bucket }: BucketTarget): Promise<void> {
    const action = 'PutLifecycleConfiguration';
    return this.#context.configure(bucket, { action, kind: 'lifecycle', document: undefined });
  }

  async getCors({ bucket }: BucketTarget): Promise<Cors.CorsConfiguration> {
    return readCors(this.#context.parts.reader, this.#context.bucket(bucket, 'GetBucketCORS'));
  }

  async putCors({ bucket, rules }: Cors.PutCorsRequest): Promise<void> {
    checkCorsRules(rules);
    const document: Cors.CorsConfiguration = { rules };
    return this.#context.configure(bucket, { action: 'PutBucketCORS', kind: 'cors', document });
  }

  async deleteCors({ bucket }: BucketTarget): Promise<void> {
    const action = 'PutBucketCORS';
    return this.#context.configure(bucket, { action, kind: 'cors', document: undefined });
  }

  async getWebsite({ bucket }: BucketTarget): Promise<Website.WebsiteConfiguration> {
    return readWebsite(
      this.#context.parts.reader,
      this.#context.bucket(bucket, 'GetBucketWebsite'),
    );
  }

  async putWebsite({ bucket, website }: Website.PutWebsiteRequest): Promise<void> {
    checkWebsite(website);
    const action = 'PutBucketWebsite';
    return this.#context.configure(bucket, { action, kind: 'website', document: website });
  }

  async deleteWebsite({ bucket }: BucketTarget): Promise<void> {
    const action = 'DeleteBucketWebsite';
    return this.#context.configure(bucket, { action, kind: 'website', document: undefined });
  }
}
