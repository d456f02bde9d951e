/** Defines what a job reports about its verification. */

import type { ProvenShare } from './proven-files.ts';

export interface VerificationStatus {
  /** When a restore test last found all tested content intact, in milliseconds since 1970. */
  readonly lastProvenRestorableAt?: number;
  readonly lastDrillAt?: number;
  /** When the next restore test is due. Absent before the first restore test. */
  readonly nextDrillAt?: number;
  /** The number of failed files in the last restore test. */
  readonly drillFailures: number;
  /** The share of the content that restore tests proved recently. Absent before the first restore test. */
  readonly proven?: ProvenShare;
  /** The share of bytes, from 0 to 1, that was reread within `verifyDays` and was intact. */
  readonly verifiedShare: number;
  /** The number of versions that are known to be damaged. */
  readonly damaged: number;
  /** The number of damaged older versions whose content was uploaded again as a later version. */
  readonly damagedEarlier: number;
  /** The number of bytes that are reread per day at the current pace. */
  readonly bytesPerDay: number;
  /** The number of days in which all content is reread at that pace. Absent if no content is reread. */
  readonly daysPerPass?: number;
}
