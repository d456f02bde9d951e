/** The files of a restore: what stands there equal is kept, further names of one file are linked, the rest is fetched. */

import type { BigIntStats } from 'node:fs';
import { failureReason } from '../base/disk-error.ts';
import { basename } from 'node:path';

import { defined } from '../base/defined.ts';
import { discard } from '../object-store/body.ts';
import type { ObjectContent, ObjectInfo } from '../object-store/object-store.ts';
import type { StoredAttributes } from '../mirror/objects/object-metadata.ts';
import type { HeldFolder } from '../mirror/local/held-folder.ts';
import { sameState } from '../mirror/local/local-entry.ts';
import {
  type AppliedAttributes,
  attributesIn,
  appliedInfo,
  type KeptInfo,
} from '../mirror/objects/applied-metadata.ts';
import { isSameContent, takesXattrs } from './compare-local.ts';
import { withXattrs } from '../mirror/transfer/fetch-xattrs.ts';
import { HardLinks, isOneFile, type StoredFile } from './hard-links.ts';
import type { RestoreOptions, TreeFilesParts } from './restore-options.ts';
import {
  linkTargetOf,
  type NameFile,
  restoreAttributes,
  restoreFile,
} from '../mirror/transfer/write-file.ts';
import type { StoredObject } from '../mirror/objects/version-listing.ts';
import type { FileTarget } from './restore-table.ts';
import { StandingNames } from './existing-names.ts';

/** How often a file is judged again because of its other names: some are under way at once, and each may touch it twice. */
const MOST_LOOKS = 32;

/** What became of a file; one that was fetched is still to be named. */
export type FileOutcome =
  | { readonly is: 'kept' | 'linked'; readonly sizeBytes: number }
  | { readonly is: 'symlink' }
  | { readonly is: 'fetched'; readonly finish: NameFile };

/** A file under way, in its held folder. */
interface Place {
  readonly target: FileTarget;
  readonly folder: HeldFolder;
  readonly name: string;
}

export class TreeFiles {
  readonly #options: RestoreOptions;
  readonly #parts: TreeFilesParts;
  readonly #signal: AbortSignal;
  readonly #hardLinks: HardLinks;
  readonly #standingNames = new StandingNames();

  constructor(options: RestoreOptions, parts: TreeFilesParts, signal: AbortSignal) {
    this.#options = options;
    this.#parts = parts;
    this.#signal = signal;
    this.#hardLinks = new HardLinks(parts.destination.absolute(''));
  }

  /** `folder` is held until the file has its name. Rejects as the store does, or with a system error. */
  async restore(
    target: FileTarget,
    folder: HeldFolder,
    onBytes: (count: number) => void,
  ): Promise<FileOutcome> {
    const place = { target, folder, name: basename(target.path) };
    const { seen, kept } = await this.#keepStanding(place);
    if (kept) return kept;
    const content = await this.#options.store.getObject(this.#reference(target), {
      signal: this.#signal,
    });
    const { info } = content;
    const believed = this.#believe(target, info);
    const stored = attributesIn(believed);
    if (stored.kind === 'symlink') {
      const bytes = await linkTargetOf(content, stored);
      this.#parts.table.addLink({ path: target.path, target: bytes, ...believed });
      return { is: 'symlink' };
    }
    const isFile = stored.kind === 'file';
    const attributes = isFile ? await this.#withXattrs(target, stored, content) : stored;
    const makeWay = () => this.#parts.destination.makeWay(target.path, seen);
    if (await this.#hardLinks.link({ info, attributes }, { ...place, makeWay }, this.#signal)) {
      await discard(content.body);
      this.#setNewestMtime(place, { info, attributes });
      return { is: 'linked', sizeBytes: target.sizeBytes };
    }
    const nameFile = await restoreFile({
      folder,
      name: place.name,
      content,
      attributes,
      setMtime: this.#parts.setMtime,
      onBytes,
      makeWay,
      onLoss: (reason) => this.#reportLoss(target.path, reason),
    });
    const finish: NameFile = async (sync) => {
      await nameFile(sync);
      // Both were on their way at once.
      if (!this.#hardLinks.linkNow(attributes, { folder, name: place.name }))
        this.#note(place, attributes);
      this.#setNewestMtime(place, { info, attributes });
    };
    return { is: 'fetched', finish };
  }

  /** Judged again where it changed meanwhile: another of its names may have been linked, or given its attributes. */
  async #keepStanding(
    place: Place,
  ): Promise<{ readonly seen: BigIntStats | undefined; readonly kept?: FileOutcome }> {
    const { target, folder, name } = place;
    for (let look = 1; ; look += 1) {
      const seen = folder.lstat(name);
      if (!seen?.isFile() || Number(seen.size) !== target.sizeBytes) return { seen };
      const kept = await this.#keep(place, seen);
      if (kept) return { seen, kept };
      const now = folder.lstat(name);
      const isTouched = now !== undefined && isOneFile(now, seen) && !sameState(now, seen);
      if (!isTouched || seen.nlink === 1n || look === MOST_LOOKS) return { seen };
    }
  }

  /** What is there already: from a restore that was broken off, or as it never changed. */
  async #keep(place: Place, seen: BigIntStats): Promise<FileOutcome | undefined> {
    const { target, folder, name } = place;
    const { info } = await this.#options.store.headObject(this.#reference(target), {
      signal: this.#signal,
    });
    const stored = attributesIn(appliedInfo({ key: target.key, info }, this.#options));
    if (stored.kind !== 'file') return undefined;
    const path = folder.at(name);
    const sought = { info, attributes: stored };
    if (!(await isSameContent(path, seen, sought, this.#signal))) return undefined;
    const attributes = await this.#withXattrs(target, stored);
    folder.check();
    if (!this.#standingNames.claim(attributes, seen)) return undefined;
    const onLoss = (reason: string) => this.#reportLoss(target.path, reason);
    if (!(await takesXattrs(path, attributes, onLoss))) return undefined;
    this.#believe(target, info);
    const timed = { ...attributes, mtimeNs: this.#hardLinks.newestMtime({ info, attributes }) };
    restoreAttributes(path, { info, attributes: timed, setMtime: this.#parts.setMtime });
    await this.#joinNames(place, { info, attributes });
    this.#setNewestMtime(place, { info, attributes });
    folder.check();
    return { is: 'kept', sizeBytes: info.sizeBytes };
  }

  /** Names of one file that stand as files of their own become one again; what stood there is set aside. */
  async #joinNames(place: Place, stored: StoredFile): Promise<void> {
    const { target, folder, name } = place;
    const seen = folder.lstat(name);
    if (this.#hardLinks.isName(stored.attributes, seen)) return;
    const makeWay = () => this.#parts.destination.makeWay(target.path, seen);
    if (!(await this.#hardLinks.link(stored, { folder, name, makeWay }, this.#signal)))
      this.#note(place, stored.attributes);
  }

  /** Of a name that has its file: other names of it may have newer versions, or may have got an older time. */
  #setNewestMtime(place: Place, stored: StoredFile): void {
    const mtimeNs = this.#hardLinks.newestMtime(stored);
    const { folder, name } = place;
    const seen = folder.lstat(name);
    if (!seen || seen.mtimeNs === mtimeNs) return;
    if (!this.#hardLinks.isName(stored.attributes, seen)) return;
    this.#parts.setMtime(folder.at(name), mtimeNs);
    this.#note(place, stored.attributes);
  }

  #note({ target: { path }, folder, name }: Place, attributes: StoredAttributes): void {
    const stats = folder.lstat(name);
    if (stats) this.#hardLinks.note(attributes, { path, stats });
  }

  /** What cannot be had is said, and the file restored without it. */
  async #withXattrs(
    target: FileTarget,
    stored: AppliedAttributes,
    content?: ObjectContent,
  ): Promise<AppliedAttributes> {
    try {
      return await withXattrs(this.#options, stored, this.#signal);
    } catch (error) {
      if (this.#signal.aborted && content) await discard(content.body);
      this.#signal.throwIfAborted();
      this.#reportLoss(target.path, `its extended attributes are missing: ${failureReason(error)}`);
      return stored;
    }
  }

  #believe({ path, key }: FileTarget, info: ObjectInfo): KeptInfo {
    const { table } = this.#parts;
    return appliedInfo({ key, info }, this.#options, () => table.noteUnproven(path));
  }

  #reportLoss(path: string, reason: string): void {
    this.#parts.problems.add({ path, code: 'failed', message: `restore ${path}: ${reason}` });
  }

  #reference({ key, versionId }: StoredObject) {
    return { bucket: this.#options.bucket, key, ...defined({ versionId }) };
  }
}
