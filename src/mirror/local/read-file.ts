/** Reads an entry's content in such a way that it never mixes two states of the file. */

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
import { loadOpenWithoutLinks, openInside } from './open-inside.ts';
import { loadXattrs, type XattrCalls, type Xattrs } from './xattrs.ts';
import { unreadableReason } from './system-error.ts';
import { unchanged } from '../model/compare.ts';
import type { LocalEntry, Problem } from '../model/types.ts';

export type FileReading =
  | {
      readonly status: 'read';
      /** The entry at the time of the read. It may be newer than the scanned entry. */
      readonly entry: LocalEntry;
      /** Modification time of the file, in nanoseconds since 1970. */
      readonly mtimeNs: bigint;
      /** SHA-256 of the content in lower-case hex. */
      readonly sha256: string;
      /** Statistics about the content, in the format of `writeFacts`. Present only for files. */
      readonly content?: string;
      readonly extras: ExtraAttributes;
      readonly body: FileContent;
      /** Releases the body's resources. The caller must call it after its last read from the body. */
      readonly release?: () => void;
    }
  /** Another program is writing to the file. The caller retries later. */
  | { readonly status: 'busy'; readonly problem: Problem }
  /** The path no longer exists or now has another kind. The next scan of its folder detects the change. */
  | { readonly status: 'gone' }
  | { readonly status: 'unreadable'; readonly problem: Problem };

export interface ReadOptions {
  readonly clock: Clock;
  readonly signal?: AbortSignal;
  /** Digests that are shared with other jobs for this folder, so that a file is usually read and hashed only once. */
  readonly digests?: Digests | undefined;
  /** Called with the size of each chunk that is read without blocking calls. */
  readonly onBytes?: ((count: number) => void) | undefined;
}

/**
 * Maximum size in bytes of a body that stays in memory after it was read. It equals the part size of multipart uploads.
 */
export const MEMORY_BODY_BYTES = 8 * 1024 * 1024;
/**
 * Maximum size in bytes of a file that is read with blocking calls. Such a read takes 3 µs if the file is cached, but a
 * task in the thread pool takes 20 to 40 µs.
 */
const BLOCKING_READ_BYTES = 256 * 1024;

/**
 * Longest tick of a file system's clock on Linux, in milliseconds, because the clock ticks at 100 Hz or faster. Two
 * writes within one tick have equal timestamps. A file is therefore read only when its last change is older than a
 * tick, so that every later change has a new timestamp.
 */
const TICK_MS = 10;
/** Tick in milliseconds of a file system with timestamps in whole seconds (FAT: two seconds). */
const COARSE_TICK_MS = 2_000;
/**
 * Maximum difference between a file server's clock and this machine's clock, in milliseconds. Timestamps in whole
 * seconds often come from a file server.
 */
const COARSE_SKEW_MS = 60_000;

/**
 * Result of reading a file: the content, and the stats from before the read. `busy` means that the stats were different
 * after the read.
 */
type Reading = ({ readonly stats: BigIntStats } & Content) | 'busy' | 'gone';

interface Content {
  readonly body: FileContent;
  readonly facts?: string;
  readonly xattrs?: Xattrs | undefined;
}

/**
 * Reads a file's content or a link's target (a folder has empty content), with the entry and the digest for exactly
 * this state. Rejects with the signal's reason when aborted.
 */
export async function readFileStable(
  root: string,
  entry: LocalEntry,
  options: ReadOptions,
): Promise<FileReading> {
  try {
    const isFile = entry.kind === 'file';
    const reading = isFile
      ? await readFile(root, entry, options)
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

async function readFile(root: string, entry: LocalEntry, options: ReadOptions): Promise<Reading> {
  const { path } = entry;
  const openWithoutLinks = await loadOpenWithoutLinks();
  const { read } = await loadXattrs();
  const descriptor = openWithoutLinks(`${root}/${path}`) ?? openInside(root, path);
  try {
    const file = { descriptor, path: `${root}/${path}`, readXattrs: read };
    return readAsListed(file, entry, options) ?? (await readStable(file, options));
  } finally {
    closeSync(descriptor);
  }
}

interface OpenFile {
  readonly descriptor: number;
  readonly path: string;
  readonly readXattrs: XattrCalls['read'];
}

/**
 * Reads a small file that has not changed since it was listed, so that the listing's lstat replaces the check before
 * the read. Returns undefined if the file has changed, or if it changed so recently that a later change might have the
 * same times.
 */
function readAsListed(
  { descriptor, readXattrs }: OpenFile,
  entry: LocalEntry,
  { clock, digests }: ReadOptions,
): Reading | undefined {
  const { path, sizeBytes, ctimeMs } = entry;
  const isSettled = msUntilSettled(BigInt(Math.ceil(ctimeMs)) * 1_000_000n, clock) === 0;
  if (digests || sizeBytes > BLOCKING_READ_BYTES || !isSettled) return undefined;
  const xattrs = readXattrs(descriptor);
  const bytes = tryRead(descriptor, sizeBytes);
  const stats = fstatSync(descriptor, { bigint: true });
  const isAsListed = stats.isFile() && unchanged(entry, toExactEntry(path, 'file', stats));
  if (!bytes || !isAsListed) return undefined;
  const facts = writeFacts(contentFacts(bytes));
  return { stats, xattrs, facts, body: memoryContent(bytes, hash('sha256', bytes)) };
}

/**
 * Returns undefined if the read fails because a folder or a pipe replaced the file. `readStable` then determines the
 * reason.
 */
function tryRead(descriptor: number, sizeBytes: number): Uint8Array | undefined {
  try {
    return readBlocking(descriptor, sizeBytes);
  } catch {
    return undefined;
  }
}

async function readStable(
  { descriptor, path, readXattrs }: OpenFile,
  { clock, signal, digests, onBytes }: ReadOptions,
): Promise<Reading> {
  const statNow = () => fstatSync(descriptor, { bigint: true });
  const stats = statNow();
  if (!stats.isFile()) return 'gone';
  const waitMs = msUntilSettled(stats.ctimeNs, clock);
  if (waitMs > 0) {
    await clock.sleep(waitMs, signal);
    if (!sameState(stats, statNow())) return 'busy';
  }
  const xattrs = readXattrs(descriptor);
  let known = digests?.find(stats);
  const readElsewhere = known ? undefined : digests?.readElsewhere(stats);
  if (readElsewhere) known = await unlessAborted(readElsewhere, signal);
  const done = known ? undefined : digests?.announce(stats);
  let digest: Digest | undefined;
  try {
    const reading = { stats, known, ...defined({ signal, onBytes }) };
    const content = await readContent(descriptor, path, reading);
    if (!content || !sameState(stats, statNow())) return 'busy';
    digest = { sha256: content.body.sha256, facts: content.facts };
    return { stats, xattrs, ...content };
  } finally {
    done?.(digest);
  }
}

interface ContentOptions {
  readonly stats: BigIntStats;
  /** The file's digest in this state, if it is known. The content is then read only if the body stays in memory. */
  readonly known: Digest | undefined;
  readonly signal?: AbortSignal;
  readonly onBytes?: (count: number) => void;
}

/** Reads and hashes the content. Returns undefined if the file is shorter than its size in `stats`. */
async function readContent(
  descriptor: number,
  path: string,
  { stats, known, signal, onBytes }: ContentOptions,
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
    onBytes?.(chunk.byteLength);
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
  // Symbolic links cannot have extended user attributes.
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
 * Returns the time in milliseconds until the last change is older than a tick. If the change has a time in the future
 * or in whole seconds, the file system may use another clock than this machine. The job must then wait a full tick from
 * now.
 */
function msUntilSettled(ctimeNs: bigint, clock: Clock): number {
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
