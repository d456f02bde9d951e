/**
 * Contract tests of the interface `ObjectStore`, for each guarantee in its header comment and for each method.
 * Each implementation runs them with one call of `testObjectStore`.
 *
 * Of the third guarantee, durability, the contract tests check only that data survives closing and reopening the
 * store. The tests in test/fault kill the process during an operation.
 */

import { afterAll, beforeAll, describe } from 'vitest';

import { testAccess } from './object-store/access.ts';
import { testAccessRights } from './object-store/access-rights.ts';
import { testBrowserConfig } from './object-store/browser-config.ts';
import { testBulkDeletes } from './object-store/bulk-deletes.ts';
import { testBulkWrites, testNoBulkWriter } from './object-store/bulk-writes.ts';
import { testBuckets } from './object-store/buckets.ts';
import { testChangeMonitor } from './object-store/change-monitor.ts';
import { testChecksums, testUploadChecksums } from './object-store/checksums.ts';
import { testWriteConditions } from './object-store/conditional-writes.ts';
import { testCopies } from './object-store/copies.ts';
import { testCustomerKeys, testCustomerKeyUploads } from './object-store/customer-keys.ts';
import { testDefaultRetention } from './object-store/default-retention.ts';
import { testFailedPuts } from './object-store/failed-puts.ts';
import { testKeys } from './object-store/keys.ts';
import { testListings } from './object-store/listings.ts';
import { testLifecycle } from './object-store/lifecycle.ts';
import { testLockChanges } from './object-store/lock-changes.ts';
import { testLocks } from './object-store/locks.ts';
import { testNullVersion } from './object-store/null-version.ts';
import { testObjectAttributes } from './object-store/object-attributes.ts';
import { testObjectReads, testObjects } from './object-store/objects.ts';
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
  /** The region of the store under test. */
  readonly region: string;
  /** Whether the store has a bulk writer. */
  readonly hasBulkWriter?: boolean;
}

/**
 * Defines the contract tests of an implementation. All tests share one store, and each test creates
 * its own buckets.
 */
export function testObjectStore(
  name: string,
  open: () => Promise<OpenStore>,
  { region, hasBulkWriter = false }: ContractOptions,
): void {
  describe(name, () => {
    const subject = opened(open);
    testBuckets(subject, region);
    testKeys(subject);
    testFailedPuts(subject);
    testRanges(subject);
    testReadConditions(subject);
    testWriteConditions(subject);
    testNullVersion(subject);
    (hasBulkWriter ? testBulkWrites : testNoBulkWriter)(subject);
    testListings(subject);
    testVersionListings(subject);
    testCompletions(subject);
    testUploadListings(subject);
    testServiceClock(subject);
    testChangeMonitor(subject);
    testLifecycle(subject);
    testBrowserConfig(subject);
    testAccessRights(subject);
    testObjectReads(subject);
    testUploadChecksums(subject);
    testCustomerKeyUploads(subject);
    testVendorHeaders(subject);
  });
}

/**
 * Defines the contract tests of puts, for a store that puts small objects through its bulk writer. A bulk writer
 * affects only puts, and test/unit/engine/bulk-writes.test.ts checks that bulk puts leave the same versions.
 */
export function testPuts(name: string, open: () => Promise<OpenStore>): void {
  describe(name, () => {
    const subject = opened(open);
    testKeys(subject);
    testFailedPuts(subject);
    testWriteConditions(subject);
    testNullVersion(subject);
    testServiceClock(subject);
    testChangeMonitor(subject);
    testObjects(subject);
    testVersions(subject);
    testChecksums(subject);
    testLocks(subject);
    testDefaultRetention(subject);
    testTags(subject);
    testAccess(subject);
    testCustomerKeys(subject);
  });
}

/**
 * Defines the contract tests that can fail with x-svc- headers if they pass with x-amz- headers. Only vendor headers
 * differ.
 */
export function testSecondDialect(name: string, open: () => Promise<OpenStore>): void {
  describe(name, () => {
    testVendorHeaders(opened(open));
  });
}

function opened(open: () => Promise<OpenStore>): Subject {
  const subject = new Subject();
  beforeAll(() => subject.start(open));
  afterAll(() => subject.stop());
  return subject;
}

/**
 * Defines the tests whose requests or responses have vendor headers that not every request has. Those of large bodies
 * are not among them: test/unit/protocol/operations.test.ts encodes and decodes all headers in both dialects.
 */
function testVendorHeaders(subject: Subject): void {
  testObjects(subject);
  testVersions(subject);
  testBulkDeletes(subject);
  testCopies(subject);
  testUploads(subject);
  testChecksums(subject);
  testObjectAttributes(subject);
  testLocks(subject);
  testLockChanges(subject);
  testDefaultRetention(subject);
  testTags(subject);
  testRenames(subject);
  testAccess(subject);
  testCustomerKeys(subject);
}
