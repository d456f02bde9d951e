/**
 * Asks a service what it makes of the conditions of each write, by writes of a few bytes below the job's reserved
 * folder: each condition once unmet, which must be refused, and once met, which must not.
 */

import { randomUUID } from 'node:crypto';

import { bytesBody } from '../../object-store/body.ts';
import type { LockRequest, WriteConditions } from '../../object-store/object-store.ts';
import { failureKind } from '../model/failure-kind.ts';
import type { Answer, Capabilities, LockAnswer, WriteAnswers } from './capabilities.ts';
import { clearProbe, type ProbeContext, probeFolder } from './clear-probe.ts';
import { askDates } from './probe-dates.ts';

const BODY = 'asked by Holdfast, and removed again\n';
/** An older one was broken off. */
const LONGEST_PROBE_MS = 3_600_000;
/** No object has it. */
const OTHER_ETAG = '0'.repeat(32);

type Conditions = Pick<WriteConditions, 'ifMatch' | 'ifNoneMatch' | 'isUnquoted'>;

/** Writes under a condition; returns the ETag of what it made. */
type Write = (key: string, conditions?: Conditions) => Promise<string>;

/** Rejects as the store does where a plain put is refused: such a job could mirror nothing. */
export async function probeCapabilities(context: ProbeContext): Promise<Capabilities> {
  const all = probeFolder(context.place);
  // Another job may ask in this moment, and own the place before us.
  await clearProbe(all, context, context.clock.now() - LONGEST_PROBE_MS);
  const folder = `${all}${randomUUID()}/`;
  try {
    return await new Probe(context, folder).ask();
  } finally {
    context.signal.throwIfAborted();
    await clearProbe(folder, context);
  }
}

class Probe {
  readonly #context: ProbeContext;
  readonly #folder: string;
  #names = 0;

  constructor(context: ProbeContext, folder: string) {
    this.#context = context;
    this.#folder = folder;
  }

  async ask(): Promise<Capabilities> {
    const put: Write = (key, conditions) => this.#put(key, conditions);
    const source = this.#key();
    await put(source);
    // First: by the end of all that is asked it is older than a second, mostly.
    const dated = this.#key();
    await put(dated);
    const copy: Write = (key, conditions) => this.#copy(source, key, conditions);
    const complete: Write = (key, conditions) => this.#upload(key, { conditions });
    const answers = {
      put: await this.#askWrite(put),
      complete: await this.#askWrite(complete),
      copy: await this.#askWrite(copy),
      delete: { ifMatch: await this.#askDelete() },
      ...(this.#context.bucket === 'object-lock' && (await this.#askLocks(source))),
    };
    if (this.#context.bucket === 'unversioned') return answers;
    const versionDates = await askDates(dated, this.#context);
    return { ...answers, ...(versionDates && { versionDates }) };
  }

  #key(): string {
    this.#names++;
    return `${this.#folder}${this.#names}`;
  }

  async #askWrite(write: Write): Promise<WriteAnswers> {
    return { ifMatch: await this.#askIfMatch(write), ifNoneMatch: await this.#askAbsent(write) };
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
    const { place, signal } = this.#context;
    const { store, bucket } = place;
    const key = this.#key();
    const etag = await this.#put(key);
    const remove = (ifMatch: string) =>
      store.deleteObject({ bucket, key, conditions: { ifMatch } }, { signal });
    if (await isDone(() => remove(OTHER_ETAG))) return 'passed over';
    return (await isDone(() => remove(etag))) ? 'honoured' : 'refused';
  }

  /** By a legal hold, which can be lifted again: a retention would keep what is written here. */
  async #askLocks(source: string): Promise<Pick<Capabilities, 'locksOfUploads' | 'locksOfCopies'>> {
    const lock = { legalHold: true };
    const ofUploads = await this.#askLock((key) => this.#upload(key, { lock }));
    const ofCopies = await this.#askLock((key) => this.#copy(source, key, undefined, lock));
    return {
      ...(ofUploads && { locksOfUploads: ofUploads }),
      ...(ofCopies && { locksOfCopies: ofCopies }),
    };
  }

  /** Undefined where the credentials may not set a hold. */
  async #askLock(write: (key: string) => Promise<string>): Promise<LockAnswer | undefined> {
    const { place, signal } = this.#context;
    const { store, bucket } = place;
    const key = this.#key();
    if (!(await isDone(() => write(key)))) return undefined;
    const { info } = await store.headObject({ bucket, key }, { signal });
    return info.legalHold === true ? 'kept' : 'dropped';
  }

  async #put(key: string, conditions?: Conditions): Promise<string> {
    const { place, signal } = this.#context;
    const { store, bucket } = place;
    const request = { bucket, key, body: bytesBody(BODY), ...(conditions && { conditions }) };
    return (await store.putObject(request, { signal })).etag;
  }

  async #copy(
    source: string,
    key: string,
    conditions?: Conditions,
    lock?: LockRequest,
  ): Promise<string> {
    const { place, signal } = this.#context;
    const { store, bucket } = place;
    const request = {
      source: { bucket, key: source },
      bucket,
      key,
      // A copy that changes nothing is refused where it is onto itself.
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
    const { place, signal } = this.#context;
    const { store, bucket } = place;
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

/** Whether it was done; what may pass is thrown, and the probe asked again later. */
async function isDone(write: () => Promise<unknown>): Promise<boolean> {
  try {
    await write();
    return true;
  } catch (error) {
    if (['guard', 'refused'].includes(failureKind(error))) return false;
    throw error;
  }
}
