/**
 * The contract of the port `ObjectStore`: each guarantee of its header comment and each method, as claims that
 * every implementation has to keep. An implementation's test is one call of `testObjectStore`.
 *
 * The third guarantee, durability, is tested here as far as closing and opening again shows it; losing the
 * process in the middle is a matter of test/fault.
 */

import { afterAll, beforeAll, describe } from 'vitest';

import { testAccess } from './object-store/access.ts';
import { testAccessRights } from './object-store/access-rights.ts';
import { testBrowserConfig } from './object-store/browser-config.ts';
import { testBulkDeletes } from './object-store/bulk-deletes.ts';
import { testBuckets } from './object-store/buckets.ts';
import { testChangeMonitor } from './object-store/change-monitor.ts';
import { testChecksums } from './object-store/checksums.ts';
import { testWriteConditions } from './object-store/conditional-writes.ts';
import { testCopies } from './object-store/copies.ts';
import { testCustomerKeys } from './object-store/customer-keys.ts';
import { testDefaultRetention } from './object-store/default-retention.ts';
import { testFailedPuts } from './object-store/failed-puts.ts';
import { testKeys } from './object-store/keys.ts';
import { testListings } from './object-store/listings.ts';
import { testLifecycle } from './object-store/lifecycle.ts';
import { testLockChanges } from './object-store/lock-changes.ts';
import { testLocks } from './object-store/locks.ts';
import { testNullVersion } from './object-store/null-version.ts';
import { testObjectAttributes } from './object-store/object-attributes.ts';
import { testObjects } from './object-store/objects.ts';
import { testRanges, testReadConditions } from './object-store/reads.ts';
import { testServiceClock } from './object-store/service-clock.ts';
import { Subject } from './object-store/subject.ts';
import type { OpenStore } from './object-store/subject.ts';
import { testRenames } from './object-store/renames.ts';
import { testTags } from './object-store/tags.ts';
import { testCompletions } from './object-store/upload-completions.ts';
import { testUploadListings } from './object-store/upload-listings.ts';
import { testUploads } from './object-store/uploads.ts';
import { testVersionListings } from './object-store/version-listings.ts';
import { testVersions } from './object-store/versions.ts';

export interface ContractOptions {
  /** The region that the store is in. */
  readonly region: string;
}

/** One store serves all claims: each makes buckets of its own. */
export function testObjectStore(
  name: string,
  open: () => Promise<OpenStore>,
  { region }: ContractOptions,
): void {
  describe(name, () => {
    const subject = new Subject();
    beforeAll(() => subject.start(open));
    afterAll(() => subject.stop());

    testBuckets(subject, region);
    testObjects(subject);
    testKeys(subject);
    testFailedPuts(subject);
    testRanges(subject);
    testReadConditions(subject);
    testWriteConditions(subject);
    testNullVersion(subject);
    testVersions(subject);
    testBulkDeletes(subject);
    testCopies(subject);
    testListings(subject);
    testVersionListings(subject);
    testUploads(subject);
    testChecksums(subject);
    testObjectAttributes(subject);
    testCompletions(subject);
    testUploadListings(subject);
    testLocks(subject);
    testLockChanges(subject);
    testDefaultRetention(subject);
    testServiceClock(subject);
    testChangeMonitor(subject);
    testTags(subject);
    testLifecycle(subject);
    testRenames(subject);
    testBrowserConfig(subject);
    testAccess(subject);
    testAccessRights(subject);
    testCustomerKeys(subject);
  });
}
