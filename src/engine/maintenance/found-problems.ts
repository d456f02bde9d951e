/** Collects the problems that a check finds: the first problems and the total number for each problem code. */

import type { Layout } from '../disk/layout.ts';
import { MAX_LISTED_PROBLEMS, type StoreProblem } from '../integrity/problems.ts';
import { askVersionsOf } from './upkeep-thread.ts';

/** The maximum number of damaged blobs whose versions are listed, because each listing scans all versions. */
const MAX_NAMED_BLOBS = 8;

interface Found {
  readonly problems: readonly StoreProblem[];
  readonly counts: Readonly<Record<string, number>>;
}

const DAMAGED = 'bytes-damaged';

export class FoundProblems {
  readonly #layout: Layout;
  readonly #onDamage: (blobId: number) => void;
  readonly #problems: StoreProblem[];
  readonly #counts: Record<string, number>;
  readonly #damaged = new Set<number>();

  constructor(layout: Layout, { problems, counts }: Found, onDamage: (blobId: number) => void) {
    this.#layout = layout;
    this.#onDamage = onDamage;
    this.#problems = [...problems];
    this.#counts = { ...counts };
  }

  /** Adds a damaged blob. Counts a blob only once, even if several checks find its damage. */
  async damage(blobId: number, why: Pick<StoreProblem, 'message' | 'repair'>): Promise<void> {
    if (this.#damaged.has(blobId)) return;
    this.#damaged.add(blobId);
    this.#onDamage(blobId);
    const count = this.#damaged.size;
    this.#counts[DAMAGED] = count;
    if (count > MAX_LISTED_PROBLEMS) return;
    const isNamed = count <= MAX_NAMED_BLOBS;
    const versions = isNamed ? await askVersionsOf(this.#layout.metadata, blobId) : undefined;
    this.#problems.push({ code: DAMAGED, subject: `blob ${blobId}`, ...why, versions });
  }

  listed(): Found {
    return { problems: this.#problems, counts: this.#counts };
  }
}
