/** Reads the versions of the file that an argument specifies, for `history` and `diff`. */

import { defined } from '../../../base/defined.ts';
import type { ControlClient } from '../../../control/client.ts';
import { isControlError } from '../../../control/control-error.ts';
import { type FileVersion, fileVersionSchema } from '../../../control/methods/history.ts';
import { readRows } from '../../../control/rows.ts';
import type { Found } from '../../arguments/resolve-thing.ts';
import { versionPages } from '../s3/pages.ts';

export interface VersionsFound {
  /** The job that backs up the file. Absent if no job backs up the object. */
  readonly job?: string;
  /** The path below the job's folder, or the key of the object. Absent for a whole job. */
  readonly path?: string;
  /** The absolute path of the local file. Absent if no job backs up the object. */
  readonly file?: string;
  /** The versions and delete markers, newest first. Empty if the name is not a file. */
  readonly rows: AsyncIterable<FileVersion>;
  /** Yields the content of a version. */
  readonly read: (versionId: string) => AsyncGenerator<Uint8Array, void>;
}

/** Finds the versions of an object. If the object is in the destination of a job, uses that job. */
export async function findVersions(daemon: ControlClient, found: Found): Promise<VersionsFound> {
  const { bucket, key, target } = found;
  const object = { bucket, key, target };
  try {
    const { stream, ...rest } = await daemon.call('history.versions', { object });
    const rows = readRows(daemon, { stream, row: fileVersionSchema });
    async function* read(versionId: string) {
      const opened = await daemon.call('history.read', { object, versionId });
      yield* daemon.download(opened.stream);
    }
    return { ...defined(rest), rows, read };
  } catch (error) {
    if (!isControlError(error) || error.code !== 'NotFound') throw error;
    return withoutJob(daemon, found);
  }
}

function withoutJob(daemon: ControlClient, { bucket, key }: Found): VersionsFound {
  async function* read(versionId: string) {
    const { stream } = await daemon.call('objects.get', { bucket, key, versionId });
    yield* daemon.download(stream);
  }
  return { path: key, rows: key === '' ? nothing() : listed(daemon, { bucket, key }), read };
}

async function* nothing(): AsyncGenerator<FileVersion, void> {}

async function* listed(
  daemon: ControlClient,
  { bucket, key }: Pick<Found, 'bucket' | 'key'>,
): AsyncGenerator<FileVersion, void> {
  let back = 0;
  for await (const { versions } of versionPages(daemon, { bucket, prefix: key }))
    for (const { kind, versionId, sizeBytes, lastModifiedAt, etag, ...version } of versions) {
      // The versions of the key itself come before those of longer keys.
      if (version.key !== key) return;
      const facts = { versionId, sizeBytes, lastModifiedAt, ...(etag !== '' && { etag }) };
      yield { back, kind, ...facts, writer: 'unknown' };
      back += 1;
    }
}
