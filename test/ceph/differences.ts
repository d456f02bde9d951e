/** Where radosgw 16.2 does otherwise than the contract of the port, claim by claim, and why that is so. */

interface Difference {
  readonly reason: string;
  /** As the run names them. */
  readonly claims: readonly string[];
}

export const DIFFERENCES: readonly Difference[] = [];
