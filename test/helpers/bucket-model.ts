/**
 * In-memory model of a local folder, a bucket and the mirror's baseline. The model executes sync
 * plans as the mirror does, and checks the condition of each write.
 */

import type { Action, DeleteAction, PutAction } from '../../src/mirror/plan/action.ts';
import type { planMirror } from '../../src/mirror/plan/plan.ts';
import type { Plan, PlanPolicy, RemoteHead } from '../../src/mirror/plan/plan-types.ts';
import type { BaselineEntry, BucketKind, LocalEntry } from '../../src/mirror/model/types.ts';
import { entry, planInput } from './plan-cells.ts';

export interface Version {
  readonly bytes: string;
  readonly versionId: string;
  readonly isOurs: boolean;
}

type LocalFile = LocalEntry & { readonly sha256: string };

export class BucketModel {
  readonly local = new Map<string, LocalFile>();
  /** File contents that the mirror has copied from the bucket before it replaced them. */
  readonly saved = new Set<string>();
  /**
   * Conflict log of the model. Each entry describes a version of another client that an upload of
   * the mirror replaced.
   */
  readonly ledger: string[] = [];
  readonly #kind: BucketKind;
  readonly #policy: Partial<PlanPolicy>;
  readonly #planMirror: typeof planMirror;
  readonly #baseline = new Map<string, BaselineEntry>();
  /** Versions of each key, newest last. An `undefined` entry is a delete marker. */
  readonly #keys = new Map<string, (Version | undefined)[]>();
  #count = 0;

  constructor(kind: BucketKind, policy: Partial<PlanPolicy>, plan: typeof planMirror) {
    this.#kind = kind;
    this.#policy = policy;
    this.#planMirror = plan;
  }

  writeLocal(key: string, bytes: string): void {
    const changes = { sizeBytes: bytes.length, mtimeMs: ++this.#count, inode: this.#count };
    this.local.set(key, { ...entry(key, changes), sha256: bytes });
  }

  writeRemote(key: string, bytes: string, isOurs = false): Version {
    const version = { bytes, isOurs, versionId: `v${++this.#count}` };
    this.#push(key, version);
    return version;
  }

  deleteRemote(key: string): void {
    if (this.head(key)) this.#push(key, undefined);
  }

  head(key: string): Version | undefined {
    return this.#keys.get(key)?.at(-1);
  }

  /**
   * Returns the current version of a key if another client wrote it and its content differs from
   * the baseline.
   */
  foreign(key: string): Version | undefined {
    const head = this.head(key);
    const isKnown = head?.isOurs || head?.bytes === this.#baseline.get(key)?.etag;
    return isKnown ? undefined : head;
  }

  /**
   * Returns true if the bucket or a saved copy still contains these bytes. Older versions count,
   * too.
   */
  isReadable(bytes: string): boolean {
    const versions = [...this.#keys.values()].flat();
    return this.saved.has(bytes) || versions.some((version) => version?.bytes === bytes);
  }

  plan(): Plan {
    const remote: Record<string, RemoteHead> = {};
    for (const key of new Set([
      ...this.local.keys(),
      ...this.#baseline.keys(),
      ...this.#keys.keys(),
    ])) {
      const head = this.head(key);
      const known = this.#baseline.get(key);
      if (!head) remote[key] = 'absent';
      else if (known?.etag !== head.bytes || known.versionId !== this.#idOf(head))
        remote[key] = this.#headOf(head);
    }
    return this.#planMirror(
      planInput({
        baseline: Object.fromEntries(this.#baseline),
        entries: Object.fromEntries(this.local),
        remote,
        policy: { bucket: this.#kind, ...this.#policy },
      }),
    );
  }

  /** Executes a plan on the model. Throws an error if the condition of a write does not hold. */
  carryOut({ actions }: Plan): void {
    for (const action of actions) this.#do(action);
  }

  #do(action: Action): void {
    switch (action.kind) {
      case 'put':
        return this.#put(action);
      case 'delete':
        return this.#delete(action);
      case 'save-head':
        this.#expect(action.key, action.head.etag);
        this.saved.add(action.head.etag);
        return this.#do(action.next);
      case 'lock-foreign':
        return this.#do(action.next);
      case 'copy-version-to-head':
        return this.#put(action.otherwise);
      case 'download':
        return this.#take(action.key, action.from.etag);
      case 'adopt':
        return this.#agree(action.key, this.head(action.key));
      case 'drop-baseline':
        this.#baseline.delete(action.key);
        return;
      default:
        throw new Error(`the model does not support the action ${action.kind}`);
    }
  }

  #put({ key, guard, supersedes }: PutAction): void {
    this.#expect(key, 'ifMatch' in guard ? guard.ifMatch : undefined);
    const file = this.local.get(key);
    if (!file) throw new Error(`put ${key}: the file does not exist`);
    if (supersedes) this.ledger.push(supersedes.etag);
    this.#agree(key, this.writeRemote(key, file.sha256, true));
  }

  #delete({ key, guard }: DeleteAction): void {
    this.#expect(key, guard.ifMatch);
    this.deleteRemote(key);
    this.#baseline.delete(key);
  }

  #take(key: string, etag: string): void {
    this.#expect(key, etag);
    this.saved.add(this.local.get(key)?.sha256 ?? '');
    this.writeLocal(key, etag);
    this.#agree(key, this.head(key));
  }

  #expect(key: string, etag: string | undefined): void {
    const found = this.head(key)?.bytes;
    if (found !== etag)
      throw new Error(
        `write ${key}: expected the version ${etag}, but the current version is ${found}`,
      );
  }

  #agree(key: string, head: Version | undefined): void {
    const file = this.local.get(key);
    if (!file || !head) throw new Error(`adopt ${key}: the file or the object does not exist`);
    const versionId = this.#idOf(head);
    const known = { ...file, etag: head.bytes, ...(versionId !== undefined && { versionId }) };
    this.#baseline.set(key, known);
  }

  #headOf(head: Version): RemoteHead {
    const versionId = this.#idOf(head);
    const { bytes } = head;
    const known = { etag: bytes, sizeBytes: bytes.length, sha256: bytes };
    return { ...known, ...(versionId !== undefined && { versionId }) };
  }

  #idOf({ versionId }: Version): string | undefined {
    return this.#kind === 'unversioned' ? undefined : versionId;
  }

  #push(key: string, version: Version | undefined): void {
    const before = this.#kind === 'unversioned' ? [] : (this.#keys.get(key) ?? []);
    this.#keys.set(key, [...before, version]);
  }
}
