/** A job owns its place: an object there names the job, the host and the folder, and no other job may write. */

import { bytesBody, collect } from '../object-store/body.ts';
import { isStorageError } from '../object-store/storage-error.ts';
import { RESERVED_FOLDER } from './local/attributes.ts';
import { MirrorError } from './mirror-error.ts';
import type { Place } from './target.ts';

export interface Claim {
  readonly job: string;
  readonly host: string;
  /** Absolute path of the mirrored folder. */
  readonly root: string;
}

/** A claim is three short strings. */
const CLAIM_LIMIT_BYTES = 16 * 1024;

/** Makes the claim, or finds it made before. Throws MirrorError `Claimed` when it is of another folder or host. */
export async function claimPlace(place: Place, claim: Claim, signal: AbortSignal): Promise<void> {
  const { store, bucket } = place;
  try {
    await store.putObject(
      {
        bucket,
        key: claimKey(place),
        body: bytesBody(`${JSON.stringify(claim)}\n`),
        attributes: { contentType: 'application/json' },
        conditions: { ifNoneMatch: '*' },
      },
      { signal },
    );
  } catch (error) {
    if (!isStorageError(error, 'PreconditionFailed')) throw error;
    refuseForeign((await readClaim(place, signal)) ?? {}, claim, `${bucket}/${claimKey(place)}`);
  }
}

/** Who claims the place; undefined when nobody does, without members where they cannot be read. */
export async function readClaim(
  place: Place,
  signal: AbortSignal,
): Promise<Partial<Claim> | undefined> {
  const { store, bucket } = place;
  try {
    const { body } = await store.getObject({ bucket, key: claimKey(place) }, { signal });
    const claim: unknown = JSON.parse(
      new TextDecoder().decode(await collect(body, CLAIM_LIMIT_BYTES)),
    );
    return typeof claim === 'object' && claim !== null ? claim : {};
  } catch (error) {
    if (isStorageError(error, 'NoSuchKey')) return undefined;
    if (error instanceof SyntaxError) return {};
    throw error;
  }
}

const claimKey = ({ prefix }: Place): string => `${prefix}${RESERVED_FOLDER}/claim`;

function refuseForeign(found: Partial<Claim>, { host, root }: Claim, where: string): void {
  if (found.host === host && found.root === root) return;
  throw new MirrorError(
    'Claimed',
    `claim ${where}: it belongs to job ${found.job ?? '?'} of folder ${found.root ?? '?'} on host ${found.host ?? '?'}; ` +
      'use another bucket or prefix, or remove that object if that job is gone for good',
  );
}
