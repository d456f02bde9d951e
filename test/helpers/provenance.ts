/** The proofs of a job whose key is known, for tests. */

import { Provenance, type ProvenanceKey } from '../../src/mirror/objects/provenance.ts';

/** Nothing is known of the service's ETags. */
export function testProvenance(changes: Partial<ProvenanceKey> = {}): Provenance {
  const memory = new Map<string, string>();
  return new Provenance(
    { secret: Buffer.alloc(32, 'key'), since: Number.POSITIVE_INFINITY, ...changes },
    { meta: (name) => memory.get(name), setMeta: (name, value) => void memory.set(name, value) },
  );
}
