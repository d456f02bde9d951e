/** Metadata of copies. A copy gets the proof of this job, which must not vouch for metadata of another client. */

import type { ObjectInfo } from '../../object-store/object-store.ts';
import { plainMetadata } from './privileges.ts';
import type { Provenance } from './provenance.ts';

/** The metadata of the source, without owner and mode bits 07000 unless a proof shows that the job wrote them. */
export function provenMetadata(
  { metadata = {}, ...source }: ObjectInfo & { readonly key: string },
  provenance: Provenance,
): Readonly<Record<string, string>> {
  return provenance.isProven({ ...source, metadata }) ? metadata : plainMetadata(metadata);
}
