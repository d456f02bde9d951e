/**
 * Creates a `Provenance` with a fixed key for tests. A `Provenance` signs the metadata of uploads,
 * so that a job recognizes the versions that it wrote.
 */

import { createSecretKey } from 'node:crypto';
import { Provenance, type ProvenanceKey } from '../../src/mirror/objects/provenance.ts';

/** Returns a `Provenance` that has not learned yet how the service computes ETags. */
export function testProvenance(changes: Partial<ProvenanceKey> = {}): Provenance {
  const memory = new Map<string, string>();
  return new Provenance(
    {
      secret: createSecretKey(Buffer.alloc(32, 'key')),
      since: Number.POSITIVE_INFINITY,
      ...changes,
    },
    { meta: (name) => memory.get(name), setMeta: (name, value) => void memory.set(name, value) },
  );
}
