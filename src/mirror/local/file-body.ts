/** Reads the content of one entry. The result never mixes two states of the file. */

import { createHash, hash } from 'node:crypto';
import {
  type BigIntStats,
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readlinkSync,
  readSync,
} from 'node:fs';

import { unlessAborted } from '../../base/abortable.ts';
import type { Clock } from '../../base/clock.ts';
import { defined } from '../../base/defined.ts';
import { errorCode } from '../../base/errors.ts';
import { contentFacts, ContentSampler, writeFacts } from './content-facts.ts';
import type { Digest, Digests } from './digests.ts';
import { chunksOf, type FileContent, fileContent, memoryContent } from './file-content.ts';
import { type ExtraAttributes, extraAttributesOf } from './extra-attributes.ts';
import { kindOf, sameState, toExactEntry } from './local-entry.ts';
import { openInside } from './open-inside.ts';
import { loadXattrs, type Xattrs } from './xattrs.ts';
import { unreadableReason } from './system-error.ts';
import type { LocalEntry, Problem } from '../model/types.ts';

export type FileReading =
  | {
      readonly status: 'read';
      /** The entry in the state in which it was read, which may be newer than the scan's. */
      readonly entry: LocalEntry;
      /** Modification time in nanoseconds since 1970. */
      readonly mtimeNs: bigint;
      /** SHA-256 of the content in lower-case hex. */
      readonly sha256: string;
      /** Measured content facts, as written by `writeFacts`; only present for files. */
      readonly content?: string;
      readonly extras: ExtraAttributes;
      readonly body: FileContent;
      /** Releases the resources of the body. Must be called when the body is no longer needed. */
      readonly release?: () => void;
    }
  /** A program is writing to the file. The caller retries later. */
  | { readonly status: 'busy'; readonly problem: Problem }
  /** The path no longer exists or has another kind, which the next scan of its folder reports. */
  | { readonly status: 'gone' }
  | { readonly status: 'unreadable'; readonly problem: Problem };

export interface ReadOptions {
  readonly clock: Clock;
  readonly signal?: AbortSignal;
  /** Digests shared with other jobs with this folder, so that a file is read and hashed only once if possible. */
  readonly digests?: Digests | undefined;
}

/** Maximum size of a body that stays in memory after it was read once. Equal to the part size of multipart uploads. */
export const MEMORY_BODY_BYTES = 8 * 1024 * 1024;
/** Maximum size for a blocking read (3 µs if cached), which is then faster than using the thread pool (20 to 40 µs). */
const BLOCKING_READ_BYTES = 256 * 1024;

/**
 * Length of a tick of the file system's clock. Two writes within one tick have equal timestamps. A file is therefore
 * read only when its last change is older than a tick, so that every later change has a new timestamp. Linux ticks at
 * 100 Hz or faster. A timestamp of whole seconds indicates a file system with a coarse clock (FAT: two seconds).
 */
const TICK_MS = 10;
const COARSE_TICK_MS = 2_000;
/** Maximum delay of a file server's clock. Timestamps of whole seconds often come from file servers. */
const COARSE_SKEW_MS = 60_000;

/** The stats from before the read, and the content. `busy` if the stats differ after the read. */
type Reading = ({ readonly stats: BigIntStats } & Content) | 'busy' | 'gone';

interface Content {
  readonly body: FileContent;
  readonly facts?: string;
  readonly xattrs?: Xattrs | undefined;
}

/**
 * Reads the content of a file, the target of a link, or empty content for a folder, and returns it with the entry and
 * digest of exactly that state. Rejects with the signal's reason when it is aborted.
 */
export async function readFileStable(
  root: string,
  entry: LocalEntry,
  options: ReadOptions,
): Promise<FileReading> {
  try {
    const isFile = entry.kind === 'file';
    const reading = isFile
      ? await readFile(root, entry.path, options)
      : await readOther(`${root}/${entry.path}`, entry);
    if (reading === 'gone') return { status: 'gone' };
    if (reading === 'busy') return { status: 'busy', problem: busy(entry.path) };
    const { stats, body, facts, xattrs } = reading;
    const lstat = toExactEntry(entry.path, entry.kind, stats);
    return {
      status: 'read',
      entry: { ...lstat, ...defined({ xattrs: xattrs?.digest }) },
      mtimeNs: stats.mtimeNs,
      sha256: body.sha256,
      body,
      extras: extraAttributesOf(stats, xattrs),
      ...defined({ content: facts }),
    };
  } catch (error) {
    options.signal?.throwIfAborted();
    return failure(entry.path, error);
  }
}

async function readFile(
  root: string,
  path: string,
  { clock, signal, digests }: ReadOptions,
): Promise<Reading> {
  const descriptor = openInside(root, path);
  const statNow = () => fstatSync(descriptor, { bigint: true });
  try {
    const stats = statNow();
    if (!stats.isFile()) return 'gone';
    const waitMs = msUntilSettled(stats, clock);
    if (waitMs > 0) {
      await clock.sleep(waitMs, signal);
      if (!sameState(stats, statNow())) return 'busy';
    }
    const xattrs = (await loadXattrs()).read(descriptor);
    let known = digests?.find(stats);
    const readElsewhere = known ? undefined : digests?.readElsewhere(stats);
    if (readElsewhere) known = await unlessAborted(readElsewhere, signal);
    const done = known ? undefined : digests?.announce(stats);
    let digest: Digest | undefined;
    try {
      const content = await readContent(descriptor, `${root}/${path}`, {
        stats,
        known,
        ...defined({ signal }),
      });
      if (!content || !sameState(stats, statNow())) return 'busy';
      digest = { sha256: content.body.sha256, facts: content.facts };
      return { stats, xattrs, ...content };
    } finally {
      done?.(digest);
    }
  } finally {
    closeSync(descriptor);
  }
}

interface ContentOptions {
  readonly stats: BigIntStats;
  /** The file's digest in this state, if known. The bytes are then read only if the body stays in memory. */
  readonly known: Digest | undefined;
  readonly signal?: AbortSignal;
}

/** Reads the content of an open file. Returns undefined if the file is shorter than its size. */
async function readContent(
  descriptor: number,
  path: string,
  { stats, known, signal }: ContentOptions,
): Promise<(Content & { readonly facts: string }) | undefined> {
  const sizeBytes = Number(stats.size);
  if (sizeBytes <= BLOCKING_READ_BYTES) {
    const bytes = readBlocking(descriptor, sizeBytes);
    if (!bytes) return undefined;
    const facts = known?.facts ?? writeFacts(contentFacts(bytes));
    return { body: memoryContent(bytes, known?.sha256 ?? hash('sha256', bytes)), facts };
  }
  const kept = sizeBytes <= MEMORY_BODY_BYTES ? Buffer.allocUnsafe(sizeBytes) : undefined;
  if (known && !kept) return { body: fileContent(path, stats, known.sha256), facts: known.facts };
  const digest = createHash('sha256');
  const sampler = new ContentSampler(sizeBytes);
  let at = 0;
  const all = { first: 0, endExclusive: sizeBytes };
  for await (const chunk of chunksOf(descriptor, all, { isBrief: true })) {
    signal?.throwIfAborted();
    if (!known) digest.update(chunk);
    if (!known) sampler.add(chunk);
    kept?.set(chunk, at);
    at += chunk.byteLength;
  }
  if (at < sizeBytes) return undefined;
  const { sha256, facts } = known ?? {
    sha256: digest.digest('hex'),
    facts: writeFacts(sampler.facts()),
  };
  return { body: kept ? memoryContent(kept, sha256) : fileContent(path, stats, sha256), facts };
}

function readBlocking(descriptor: number, sizeBytes: number): Uint8Array | undefined {
  const bytes = Buffer.allocUnsafeSlow(sizeBytes);
  for (let at = 0; at < sizeBytes;) {
    const count = readSync(descriptor, bytes, at, sizeBytes - at, at);
    if (count === 0) return undefined;
    at += count;
  }
  return bytes;
}

async function readOther(path: string, entry: LocalEntry): Promise<Reading> {
  const stats = lstatSync(path, { bigint: true });
  if (kindOf(stats) !== entry.kind) return 'gone';
  const bytes =
    entry.kind === 'symlink' ? readlinkSync(path, { encoding: 'buffer' }) : new Uint8Array();
  if (entry.kind === 'symlink' && !sameState(stats, lstatSync(path, { bigint: true })))
    return 'busy';
  // Symbolic links cannot have user attributes.
  const xattrs = entry.kind === 'directory' ? await readFolderXattrs(path) : undefined;
  return { stats, xattrs, body: memoryContent(bytes, hash('sha256', bytes)) };
}

async function readFolderXattrs(path: string): Promise<Xattrs | undefined> {
  const { read } = await loadXattrs();
  const { O_RDONLY, O_DIRECTORY, O_NOFOLLOW } = constants;
  const descriptor = openSync(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
  try {
    return read(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/**
 * Returns the milliseconds until the last change is older than a tick. If its time is in the future or has whole
 * seconds, the file system's clock may not be this machine's, so a full tick from now is required.
 */
function msUntilSettled({ ctimeNs }: BigIntStats, clock: Clock): number {
  const ageMs = clock.now() - Number(ctimeNs / 1_000_000n);
  if (ctimeNs % 1_000_000_000n === 0n)
    return ageMs > COARSE_TICK_MS + COARSE_SKEW_MS ? 0 : COARSE_TICK_MS + 1;
  return ageMs < 0 ? TICK_MS + 1 : Math.max(0, TICK_MS + 1 - ageMs);
}

function busy(path: string): Problem {
  return {
    path,
    code: 'busy',
    message: `cannot back up ${path} yet: a program is writing to it; the job retries`,
  };
}

function failure(path: string, error: unknown): FileReading {
  const code = errorCode(error);
  if (code === undefined) throw error;
  if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'ELOOP' || code === 'ENXIO')
    return { status: 'gone' };
  return {
    status: 'unreadable',
    problem: {
      path,
      code: 'unreadable',
      message: `cannot back up ${path}: ${unreadableReason(error)}`,
    },
  };
}

export type ReadFile = Extract<FileReading, { status: 'read' }>;
