/**
 * Probes a service's capabilities. The probe writes objects of a few bytes below the job's reserved folder. It sends
 * each condition twice: once unmet, so that the service must reject the write, and once met, so that the service must
 * accept it. Each test has its own objects, so all tests can run concurrently.
 */

import { randomUUID } from 'node:crypto';

import { allDone } from '../../base/all-done.ts';
import { defined } from '../../base/defined.ts';
import { bytesBody } from '../../object-store/body.ts';
import type { LockRequest, WriteConditions } from '../../object-store/object-store.ts';
import { failureKind } from '../model/failure-kind.ts';
import type { Answer, Capabilities, LockAnswer, WriteAnswers } from './capabilities.ts';
import { clearProbe, type ProbeContext, probeFolder } from './clear-probe.ts';
import { askDates } from './probe-dates.ts';

const BODY = 'capability probe of Holdfast, safe to delete\n';
/** Maximum duration of a probe, in milliseconds. If a probe's objects are older, that probe was interrupted. */
const LONGEST_PROBE_MS = 3_600_000;
/** An ETag that no object has, for a condition that is never met. */
const OTHER_ETAG = '0'.repeat(32);

type Conditions = Pick<WriteConditions, 'ifMatch' | 'ifNoneMatch' | 'isUnquoted'>;

/** Writes an object, with a condition if one is given, and returns the object's new ETag. */
type Write = (key: string, conditions?: Conditions) => Promise<string>;

export interface BegunProbe {
  readonly answers: Capabilities;
  /** Prefix of the keys of the probe's objects. `finish` removes all objects below it. */
  readonly folder: string;
  /**
   * Runs the date probe, which takes up to a second, and removes the probe's objects. The caller must call this
   * function. Rejects with the store's errors.
   */
  finish(signal: AbortSignal): Promise<Pick<Capabilities, 'versionDates'>>;
}

/**
 * Probes the service. Rejects with the store's error if an unconditional put is refused, because the job could not
 * upload anything then.
 */
export async function beginProbe(context: ProbeContext): Promise<BegunProbe> {
  const all = probeFolder(context.destination);
  // Only old objects are removed, because another job may be running a probe now.
  await clearProbe(all, context, context.clock.now() - LONGEST_PROBE_MS);
  const folder = `${all}${randomUUID()}/`;
  try {
    const { answers, dated } = await new Probe(context, folder).ask();
    const finish = (signal: AbortSignal) => finishProbe({ folder, dated }, { ...context, signal });
    return { answers, folder, finish };
  } catch (error) {
    await clearAfter(folder, context);
    throw error;
  }
}

async function finishProbe(
  { folder, dated }: { readonly folder: string; readonly dated: string },
  context: ProbeContext,
): Promise<Pick<Capabilities, 'versionDates'>> {
  try {
    if (context.bucket === 'unversioned') return {};
    return defined({ versionDates: await askDates(dated, context) });
  } finally {
    await clearAfter(folder, context);
  }
}

async function clearAfter(folder: string, context: ProbeContext): Promise<void> {
  context.signal.throwIfAborted();
  await clearProbe(folder, context);
}

class Probe {
  readonly #context: ProbeContext;
  readonly #folder: string;
  #names = 0;

  constructor(context: ProbeContext, folder: string) {
    this.#context = context;
    this.#folder = folder;
  }

  /**
   * Returns the capabilities, and the key of an object for the date probe. That object is written before all others.
   */
  async ask(): Promise<{ readonly answers: Capabilities; readonly dated: string }> {
    const { bucket } = this.#context;
    const put: Write = (key, conditions) => this.#put(key, conditions);
    const source = this.#key();
    const dated = this.#key();
    await allDone([put(source), put(dated)]);
    const copy: Write = (key, conditions) => this.#copy(source, key, conditions);
    const complete: Write = (key, conditions) => this.#upload(key, { conditions });
    const [ofPut, ofComplete, ofCopy, ifMatch, ofLocks] = await allDone([
      this.#askWrite(put),
      this.#askWrite(complete),
      this.#askWrite(copy),
      this.#askDelete(),
      bucket === 'object-lock' ? this.#askLocks(source) : {},
    ]);
    const answers = { put: ofPut, complete: ofComplete, copy: ofCopy, delete: { ifMatch } };
    return { answers: { ...answers, ...ofLocks }, dated };
  }

  #key(): string {
    this.#names++;
    return `${this.#folder}${this.#names}`;
  }

  async #askWrite(write: Write): Promise<WriteAnswers> {
    const [ifMatch, ifNoneMatch] = await allDone([this.#askIfMatch(write), this.#askAbsent(write)]);
    return { ifMatch, ifNoneMatch };
  }

  async #askIfMatch(write: Write): Promise<Answer> {
    const key = this.#key();
    const etag = await this.#put(key);
    if (await isDone(() => write(key, { ifMatch: OTHER_ETAG }))) return 'passed over';
    if (await isDone(() => write(key, { ifMatch: etag }))) return 'honoured';
    if (!(await isDone(() => write(key, { ifMatch: etag, isUnquoted: true })))) return 'refused';
    const unmet = { ifMatch: OTHER_ETAG, isUnquoted: true } as const;
    return (await isDone(() => write(key, unmet))) ? 'refused' : 'unquoted';
  }

  async #askAbsent(write: Write): Promise<Answer> {
    const key = this.#key();
    await this.#put(key);
    if (await isDone(() => write(key, { ifNoneMatch: '*' }))) return 'passed over';
    return (await isDone(() => write(this.#key(), { ifNoneMatch: '*' }))) ? 'honoured' : 'refused';
  }

  async #askDelete(): Promise<Answer> {
    const { destination, signal } = this.#context;
    const { store, bucket } = destination;
    const key = this.#key();
    const etag = await this.#put(key);
    const remove = (ifMatch: string) =>
      store.deleteObject({ bucket, key, conditions: { ifMatch } }, { signal });
    if (await isDone(() => remove(OTHER_ETAG))) return 'passed over';
    return (await isDone(() => remove(etag))) ? 'honoured' : 'refused';
  }

  /**
   * Probes locks with a legal hold, because it can be lifted. Objects with a retention could not be deleted afterwards.
   */
  async #askLocks(source: string): Promise<Pick<Capabilities, 'locksOfUploads' | 'locksOfCopies'>> {
    const lock = { legalHold: true };
    const [ofUploads, ofCopies] = await allDone([
      this.#askLock((key) => this.#upload(key, { lock })),
      this.#askLock((key) => this.#copy(source, key, undefined, lock)),
    ]);
    return {
      ...(ofUploads && { locksOfUploads: ofUploads }),
      ...(ofCopies && { locksOfCopies: ofCopies }),
    };
  }

  /** Returns whether the written version has the legal hold; undefined if the credentials do not allow legal holds. */
  async #askLock(write: (key: string) => Promise<string>): Promise<LockAnswer | undefined> {
    const { destination, signal } = this.#context;
    const { store, bucket } = destination;
    const key = this.#key();
    if (!(await isDone(() => write(key)))) return undefined;
    const { info } = await store.headObject({ bucket, key }, { signal });
    return info.legalHold === true ? 'kept' : 'dropped';
  }

  async #put(key: string, conditions?: Conditions): Promise<string> {
    const { destination, signal } = this.#context;
    const { store, bucket } = destination;
    const request = { bucket, key, body: bytesBody(BODY), ...(conditions && { conditions }) };
    return (await store.putObject(request, { signal })).etag;
  }

  async #copy(
    source: string,
    key: string,
    conditions?: Conditions,
    lock?: LockRequest,
  ): Promise<string> {
    const { destination, signal } = this.#context;
    const { store, bucket } = destination;
    const request = {
      source: { bucket, key: source },
      bucket,
      key,
      attributes: { metadata: { 'holdfast-probe': key.slice(-8) } },
      ...(conditions && { conditions }),
      ...(lock && { lock }),
    };
    return (await store.copyObject(request, { signal })).etag;
  }

  async #upload(
    key: string,
    {
      conditions,
      lock,
    }: { readonly conditions?: Conditions | undefined; readonly lock?: LockRequest },
  ): Promise<string> {
    const { destination, signal } = this.#context;
    const { store, bucket } = destination;
    const { uploadId } = await store.createUpload(
      { bucket, key, ...(lock && { lock }) },
      { signal },
    );
    const upload = { bucket, key, uploadId };
    try {
      const part = { ...upload, partNumber: 1, body: bytesBody(BODY) };
      const { etag } = await store.uploadPart(part, { signal });
      const request = {
        ...upload,
        parts: [{ partNumber: 1, etag }],
        ...(conditions && { conditions }),
      };
      return (await store.completeUpload(request, { signal })).etag;
    } catch (error) {
      await store.abortUpload(upload);
      throw error;
    }
  }
}

/**
 * Returns false if the service refuses the write or the condition is not met. Throws all other errors; the probe is
 * then repeated later.
 */
async function isDone(write: () => Promise<unknown>): Promise<boolean> {
  try {
    await write();
    return true;
  } catch (error) {
    if (['guard', 'refused'].includes(failureKind(error))) return false;
    throw error;
  }
}
