/**
 * Implements `LockKeeper` and `ServiceClock` for one caller: Object Lock configuration, retention, legal hold and service
 * time.
 */

import type * as Locks from '../../object-store/locks.ts';
import type * as Port from '../../object-store/object-store.ts';
import { checkKey } from '../../object-store/rules/naming.ts';
import type { ServiceClock, ServiceTime } from '../../object-store/service-clock.ts';
import { readLegalHold, readLockConfiguration, readRetention } from '../reads/read-locks.ts';
import type { CallerContext } from './caller-context.ts';

export class EngineLocks implements Locks.LockKeeper, ServiceClock {
  readonly #context: CallerContext;

  constructor(context: CallerContext) {
    this.#context = context;
  }

  async getObjectLockConfiguration({
    bucket,
  }: {
    readonly bucket: string;
  }): Promise<Locks.ObjectLockConfiguration> {
    return readLockConfiguration(this.#context.bucket(bucket, 'GetBucketObjectLockConfiguration'));
  }

  async putObjectLockConfiguration(request: Locks.PutLockConfigurationRequest): Promise<void> {
    return this.#context.changeBucket('putLockConfiguration', request);
  }

  async serviceTime(): Promise<ServiceTime> {
    return { now: this.#context.parts.trustedTime.read().trustedNow, isTrusted: true };
  }

  async getRetention(request: Port.ObjectRef): Promise<Port.Retention> {
    return readRetention(this.#context.parts.reader, this.#context.caller, request);
  }

  async putRetention(request: Locks.PutRetentionRequest): Promise<void> {
    checkKey(request.key);
    const bypassGovernance = request.bypassGovernance === true;
    return this.#context.run('putRetention', { ...request, bypassGovernance });
  }

  async getLegalHold(request: Port.ObjectRef): Promise<boolean> {
    return readLegalHold(this.#context.parts.reader, this.#context.caller, request);
  }

  async putLegalHold(request: Locks.PutLegalHoldRequest): Promise<void> {
    checkKey(request.key);
    return this.#context.run('putLegalHold', request);
  }
}
