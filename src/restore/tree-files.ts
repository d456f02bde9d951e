/**
 * Restores the files in a tree: keeps existing files that are equal, links further names of a file, and downloads all
 * other files.
 */

import type { BigIntStats } from 'node:fs';
import { basename } from 'node:path';

import { defined } from '../base/defined.ts';
import { failureReason } from '../base/disk-error.ts';
import { errorCode } from '../base/errors.ts';
import { discard } from '../object-store/body.ts';
import type { ObjectContent, ObjectInfo } from '../object-store/object-store.ts';
import type { StoredAttributes } from '../mirror/objects/object-metadata.ts';
import type { HeldFolder } from '../mirror/local/held-folder.ts';
import { sameState } from '../mirror/local/local-entry.ts';
import { MirrorError } from '../mirror/model/mirror-error.ts';
import {
  type AppliedAttributes,
  attributesIn,
  appliedInfo,
  type KeptInfo,
} from '../mirror/objects/applied-metadata.ts';
import { isSameContent, takesXattrs } from './compare-local.ts';
import { withXattrs } from '../mirror/transfer/fetch-xattrs.ts';
import { HardLinks, isOneFile, linkId, type StoredFile } from './hard-links.ts';
import type { RestoreOptions, TreeFilesParts } from './restore-options.ts';
import {
  linkTargetOf,
  restoreAttributes,
  restoreFile,
  type WrittenFile,
} from '../mirror/transfer/write-file.ts';
import type { StoredObject } from '../mirror/objects/version-listing.ts';
import type { FileTarget } from './restore-table.ts';
import { ExistingNames } from './existing-names.ts';
import type { ParentFolder } from './parent-folders.ts';
import { isResumable, newPartial, openPartial, type PartialFile } from './partial-files.ts';
import { readInRanges } from './read-ranges.ts';

/** Maximum number of comparisons for one file. Each restore of another name of the file may change the file twice. */
const MAX_COMPARISONS = 32;

/** The result of restoring a single file. */
export type FileOutcome =
  | { readonly is: 'kept' | 'linked'; readonly sizeBytes: number }
  | { readonly is: 'symlink' }
  | FetchedFile;

/** A downloaded file that does not have its final name yet. */
export interface FetchedFile {
  readonly is: 'fetched';
  readonly file: WrittenFile;
  /** Number of bytes that an interrupted restore had already written. */
  readonly continuedBytes: number;
  /** Gives the file its final name. Must be called when the file is durable. Throws a system error. */
  readonly name: () => void;
}

/** A file that is being restored, and the open folder that contains it. */
interface RestoringFile {
  readonly target: FileTarget;
  readonly folder: HeldFolder;
  readonly name: string;
}

/** The entry at a path before its file is restored. */
interface SeenFile {
  readonly seen: BigIntStats | undefined;
  /** Set if the existing file is kept, because it is identical to the version to restore. */
  readonly kept?: FileOutcome;
}

const NOTHING_SEEN: SeenFile = { seen: undefined };

interface FetchingFile extends RestoringFile {
  readonly onBytes: (count: number) => void;
  readonly makeWay: () => void;
}

export class TreeFiles {
  readonly #options: RestoreOptions;
  readonly #parts: TreeFilesParts;
  readonly #signal: AbortSignal;
  readonly #hardLinks: HardLinks;
  readonly #existingNames = new ExistingNames();

  constructor(options: RestoreOptions, parts: TreeFilesParts, signal: AbortSignal) {
    this.#options = options;
    this.#parts = parts;
    this.#signal = signal;
    this.#hardLinks = new HardLinks(parts.restoreFolder.absolute(''));
  }

  /**
   * Restores one file. `parent` must stay open until the file has its final name. Rejects with the store's errors or a
   * system error.
   */
  async restore(
    listed: FileTarget,
    { held: folder, isNew }: ParentFolder,
    onBytes: (count: number) => void,
  ): Promise<FileOutcome> {
    const found = { target: listed, folder, name: basename(listed.path) };
    const { seen, kept } = isNew ? NOTHING_SEEN : await this.#keepExisting(found);
    if (kept) return kept;
    const target = seen ? await this.#withVersion(listed) : listed;
    const file = { ...found, target };
    if (seen) await this.#parts.aside.prepare(target.path, seen);
    // In a new folder, nothing can be in the way. If another program has taken the name, the rename fails.
    const makeWay = () => {
      if (!isNew) this.#parts.restoreFolder.makeWay(target.path, seen);
    };
    const fetching = { ...file, onBytes, makeWay };
    const partial = isNew ? undefined : openPartial(folder, target, this.#signal);
    const continued = partial && (await this.#continue(fetching, partial));
    return continued ?? this.#fetch(fetching);
  }

  /**
   * Returns the target with the id of the current version, because the local file's content may become current during
   * the restore.
   */
  async #withVersion(target: FileTarget): Promise<FileTarget> {
    const { store, saveLocal } = this.#options;
    if (!saveLocal || target.versionId !== undefined) return target;
    const { info } = await store.headObject(this.#reference(target), { signal: this.#signal });
    return { ...target, ...defined({ versionId: info.versionId }) };
  }

  async #fetch(file: FetchingFile): Promise<FileOutcome> {
    const { target } = file;
    const content = await this.#read(target, 0);
    const applied = this.#applicableInfo(target, content.info);
    const stored = attributesIn(applied);
    if (stored.kind === 'symlink') {
      const bytes = await linkTargetOf(content, stored);
      this.#parts.table.addLink({ path: target.path, target: bytes, ...applied });
      return { is: 'symlink' };
    }
    return this.#write(file, content, stored);
  }

  /**
   * Downloads the rest of an object whose partial file exists. If the partial file is useless, removes it and returns
   * undefined.
   */
  async #continue(file: FetchingFile, partial: PartialFile): Promise<FileOutcome | undefined> {
    const { target } = file;
    // A range must contain at least one byte.
    const first = Math.min(partial.sizeBytes, target.sizeBytes - 1);
    try {
      const content = await this.#read(target, first);
      const stored = attributesIn(this.#applicableInfo(target, content.info));
      if (content.range?.first === first && isResumable(target, stored))
        return await this.#write(file, content, stored, partial);
      await discard(content.body);
    } catch (error) {
      partial.end(error);
      if (error instanceof MirrorError && error.code === 'ContentDiffers') return undefined;
      throw error;
    }
    partial.remove();
    return undefined;
  }

  async #write(
    file: FetchingFile,
    content: ObjectContent,
    stored: AppliedAttributes,
    partial?: PartialFile,
  ): Promise<FileOutcome> {
    const { target, folder, onBytes, makeWay } = file;
    const { info, range } = content;
    const isFile = stored.kind === 'file';
    const attributes =
      isFile && stored.xattrsElsewhere !== undefined
        ? await this.#withXattrs(target, stored, content)
        : stored;
    const hasLinks = linkId(attributes) !== undefined;
    if (
      hasLinks &&
      (await this.#hardLinks.link({ info, attributes }, { ...file, makeWay }, this.#signal))
    ) {
      await discard(content.body);
      partial?.remove();
      this.#setNewestMtime(file, { info, attributes });
      return { is: 'linked', sizeBytes: target.sizeBytes };
    }
    const written = await restoreFile({
      folder,
      name: file.name,
      content,
      attributes,
      setMtime: this.#parts.setMtime,
      onBytes,
      makeWay,
      onLoss: (reason) => this.#reportLoss(target.path, reason),
      partial:
        partial ??
        (isResumable(target, stored) ? newPartial(folder, target, this.#signal) : undefined),
    });
    const name = () => {
      this.#takeName(target, written);
      if (!hasLinks) return;
      // Another name of the same file may have been restored at the same time.
      if (!this.#hardLinks.linkNow(attributes, { folder, name: file.name }))
        this.#note(file, attributes);
      this.#setNewestMtime(file, { info, attributes });
    };
    return { is: 'fetched', file: written, name, continuedBytes: range?.first ?? 0 };
  }

  #takeName({ path }: FileTarget, written: WrittenFile): void {
    try {
      written.takeName();
    } catch (error) {
      // This call throws an error that explains why the name may already exist.
      if (errorCode(error) === 'EEXIST') this.#parts.restoreFolder.makeWay(path, undefined);
      throw error;
    }
  }

  /**
   * Keeps an equal existing file. If the file changes in the meantime, compares it again, because another name of the
   * file may have been linked or may have received its attributes.
   */
  async #keepExisting(file: RestoringFile): Promise<SeenFile> {
    const { target, folder, name } = file;
    for (let comparisons = 1; ; comparisons += 1) {
      const seen = folder.lstat(name);
      if (!seen?.isFile() || Number(seen.size) !== target.sizeBytes) return { seen };
      const kept = await this.#keep(file, seen);
      if (kept) return { seen, kept };
      const now = folder.lstat(name);
      const isTouched = now !== undefined && isOneFile(now, seen) && !sameState(now, seen);
      if (!isTouched || seen.nlink === 1n || comparisons === MAX_COMPARISONS) return { seen };
    }
  }

  /** Keeps an existing file with equal content, which an interrupted restore wrote or which never changed. */
  async #keep(file: RestoringFile, seen: BigIntStats): Promise<FileOutcome | undefined> {
    const { target, folder, name } = file;
    const { info } = await this.#options.store.headObject(this.#reference(target), {
      signal: this.#signal,
    });
    const stored = attributesIn(appliedInfo({ key: target.key, info }, this.#options));
    if (stored.kind !== 'file') return undefined;
    const path = folder.at(name);
    const object = { info, attributes: stored };
    if (!(await isSameContent(path, seen, object, this.#signal))) return undefined;
    const attributes = await this.#withXattrs(target, stored);
    folder.check();
    if (!this.#existingNames.assign(attributes, seen)) return undefined;
    const onLoss = (reason: string) => this.#reportLoss(target.path, reason);
    if (!(await takesXattrs(path, attributes, onLoss))) return undefined;
    this.#applicableInfo(target, info);
    const timed = { ...attributes, mtimeNs: this.#hardLinks.newestMtime({ info, attributes }) };
    restoreAttributes(path, { info, attributes: timed, setMtime: this.#parts.setMtime });
    await this.#joinNames(file, { info, attributes });
    this.#setNewestMtime(file, { info, attributes });
    folder.check();
    return { is: 'kept', sizeBytes: info.sizeBytes };
  }

  /** Replaces separate copies of a file with hard links, and sets the replaced files aside. */
  async #joinNames(file: RestoringFile, stored: StoredFile): Promise<void> {
    const { target, folder, name } = file;
    const seen = folder.lstat(name);
    if (this.#hardLinks.isName(stored.attributes, seen)) return;
    const makeWay = () => this.#parts.restoreFolder.makeWay(target.path, seen);
    if (!(await this.#hardLinks.link(stored, { folder, name, makeWay }, this.#signal)))
      this.#note(file, stored.attributes);
  }

  /**
   * Sets a hard-linked file's mtime, because its other names may have newer versions, or may have been restored with an
   * older mtime.
   */
  #setNewestMtime(file: RestoringFile, stored: StoredFile): void {
    const mtimeNs = this.#hardLinks.newestMtime(stored);
    const { folder, name } = file;
    const seen = folder.lstat(name);
    if (!seen || seen.mtimeNs === mtimeNs) return;
    if (!this.#hardLinks.isName(stored.attributes, seen)) return;
    this.#parts.setMtime(folder.at(name), mtimeNs);
    this.#note(file, stored.attributes);
  }

  #note({ target: { path }, folder, name }: RestoringFile, attributes: StoredAttributes): void {
    const stats = folder.lstat(name);
    if (stats) this.#hardLinks.note(attributes, { path, stats });
  }

  /** Reads a file's extended attributes. If that fails, reports a problem, and the file is restored without them. */
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
      this.#reportLoss(target.path, failureReason(error));
      return stored;
    }
  }

  #applicableInfo({ path, key }: FileTarget, info: ObjectInfo): KeptInfo {
    const { table } = this.#parts;
    return appliedInfo({ key, info }, this.#options, () => table.noteUnproven(path));
  }

  /** Reports that a file is restored without its extended attributes. */
  #reportLoss(path: string, reason: string): void {
    const message = `cannot restore the extended attributes of ${path}: ${reason}`;
    this.#parts.problems.add({ path, code: 'failed', message });
  }

  #read(target: FileTarget, first: number): Promise<ObjectContent> {
    const wanted = { sizeBytes: target.sizeBytes, first };
    const options = { signal: this.#signal };
    return readInRanges(this.#options.store, this.#reference(target), wanted, options);
  }

  #reference({ key, versionId }: StoredObject) {
    return { bucket: this.#options.bucket, key, ...defined({ versionId }) };
  }
}
