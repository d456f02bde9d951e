/** Finds the two sides that `diff` compares. A side is a version of a file, or the local file. */

import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { lstat, readlink } from 'node:fs/promises';

import { defined } from '../../../base/defined.ts';
import { failureReason } from '../../../base/disk-error.ts';
import { errorCode } from '../../../base/errors.ts';
import type { FileVersion } from '../../../control/methods/history.ts';
import { countText } from '../../../text/amounts.ts';
import { timeText } from '../../../text/time.ts';
import { CommandError } from '../../output/command-error.ts';
import type { VersionsFound } from './file-versions.ts';

/** The maximum size of a file whose lines are compared. */
export const MAX_TEXT_BYTES = 4 * 1024 ** 2;

export interface File {
  /** The name that the user typed, without `~N`. */
  readonly typed: string;
  /** The newest versions and delete markers, as many as the sides need. */
  readonly rows: readonly FileVersion[];
  readonly versions: VersionsFound;
}

/** Selects a version by its number or by a time. If both are absent, the default of that side applies. */
export interface SideAsked {
  readonly back?: number;
  readonly at?: number;
}

export interface Side {
  /** What is compared: a version, the local file, or nothing (`absent`) because the file did not exist. */
  readonly is: 'version' | 'local' | 'absent';
  /** The label: `PATH~N`, the path of the local file, or why the file is absent. */
  readonly label: string;
  readonly sizeBytes?: number;
  readonly modifiedAt?: number;
  readonly versionId?: string;
  readonly etag?: string;
  /** The SHA-256. Absent if no trusted hash is recorded and the file is larger than `MAX_TEXT_BYTES`. */
  readonly sha256?: string;
  /** The content. Absent if it is larger than `MAX_TEXT_BYTES`. */
  readonly bytes?: Buffer;
  /** Set if the selected version depends on a date that the service may have changed. */
  readonly isUncertain?: boolean;
}

/** Returns the selected version of a file. Throws CommandError `NotFound` for a number that is too large. */
export async function versionSide(
  { typed, rows, versions }: File,
  asked: SideAsked,
): Promise<Side> {
  const { back, at } = asked;
  const index = back ?? rows.findIndex(({ lastModifiedAt }) => lastModifiedAt <= (at ?? Infinity));
  const row = rows[index];
  const newer = at === undefined ? [] : rows.slice(0, index === -1 ? rows.length : index + 1);
  const isUncertain = newer.some(({ isUndated }) => isUndated);
  if (!row && back !== undefined && back > 1)
    throw new CommandError(
      'NotFound',
      `cannot compare ${typed}~${back}: ${typed} has ${countText(rows.length, 'version')}`,
    );
  const name = versions.path ?? typed;
  if (!row) {
    const when = at === undefined ? 'before its first version' : `at ${timeText(at)}`;
    return { is: 'absent', label: `${name} (did not exist ${when})`, isUncertain };
  }
  if (row.kind === 'delete-marker') {
    const label = `${name}~${index} (deleted ${timeText(row.lastModifiedAt)})`;
    return { is: 'absent', label, isUncertain };
  }
  const { sizeBytes, lastModifiedAt: modifiedAt, versionId, etag } = row;
  const bytes = sizeBytes <= MAX_TEXT_BYTES ? await whole(versions.read(versionId)) : undefined;
  const sha256 = row.sha256 ?? (bytes && createHash('sha256').update(bytes).digest('hex'));
  const facts = { sizeBytes, modifiedAt, versionId, isUncertain };
  return {
    is: 'version',
    label: `${name}~${index}`,
    ...facts,
    ...defined({ etag, sha256, bytes }),
  };
}

/** Returns the local file, or undefined if it has the content of the current version. */
export async function localSide({ rows, versions }: File): Promise<Side | undefined> {
  const { file } = versions;
  if (file === undefined) return undefined;
  const [current] = rows;
  const isStored = current?.kind === 'version';
  const local = await readLocal(file);
  if (!local) {
    const label = `${file} (the local file does not exist)`;
    return isStored ? { is: 'absent', label } : undefined;
  }
  if (!isStored || current.sizeBytes !== local.sizeBytes) return local;
  const known =
    current.sha256 ?? (await versionSide({ typed: file, rows, versions }, { back: 0 })).sha256;
  // Without a known hash, only the sizes can be compared.
  return known === undefined || known === local.sha256 ? undefined : local;
}

/** Reads a regular file or the target of a symbolic link. Returns undefined for any other entry. */
async function readLocal(file: string): Promise<Side | undefined> {
  try {
    const stats = await lstat(file);
    if (!stats.isFile() && !stats.isSymbolicLink()) return undefined;
    const digest = createHash('sha256');
    const chunks: Buffer[] = [];
    let sizeBytes = 0;
    const content = stats.isFile()
      ? (createReadStream(file) as AsyncIterable<Buffer>)
      : [await readlink(file, { encoding: 'buffer' })];
    for await (const chunk of content) {
      digest.update(chunk);
      sizeBytes += chunk.length;
      if (sizeBytes <= MAX_TEXT_BYTES) chunks.push(chunk);
    }
    const bytes = sizeBytes <= MAX_TEXT_BYTES ? Buffer.concat(chunks) : undefined;
    const facts = { sizeBytes, modifiedAt: stats.mtimeMs, sha256: digest.digest('hex') };
    return { is: 'local', label: `${file} (local file)`, ...facts, ...defined({ bytes }) };
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(errorCode(error) ?? '')) return undefined;
    throw new CommandError('FileNotUsable', `cannot compare ${file}: ${failureReason(error)}`);
  }
}

async function whole(chunks: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  for await (const chunk of chunks) parts.push(chunk);
  return Buffer.concat(parts);
}
