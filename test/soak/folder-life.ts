/** Makes random changes in a folder, as users and programs do, and records every content that a file ever had. */

import { createHash } from 'node:crypto';
import {
  appendFileSync,
  chmodSync,
  copyFileSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import type { Dirent } from 'node:fs';
import { dirname, join } from 'node:path';

import { sha256 } from '../helpers/tree.ts';
import { EMPTY_SHA256 } from '../../src/mirror/plan/decide.ts';
import { BurstLife, BURSTS } from './burst-life.ts';
import type { Dice } from './dice.ts';
import type { History } from './history.ts';

/**
 * The names of files and folders. There are so few names that a deleted file's name is soon reused, perhaps for a
 * folder.
 */
const NAMES = ['a', 'b', 'B', 'c-d.txt', 'ü', 'x y', 'p%2Fq', '#h?&+', 'notes.md', '.dot'];
const DEEPEST = 3;
/** The maximum number of files. Above this number, the folder only shrinks. Below `FEWEST_FILES`, it only grows. */
const MOST_FILES = 150;
const FEWEST_FILES = 30;
/**
 * The maximum number of files, folders and links. Above this number, links and empty folders are removed, because they
 * would use up all names.
 */
const MOST_ENTRIES = 2 * MOST_FILES;
const PAGE_BYTES = 4096;
const LARGE_BYTES = 17 * 2 ** 20;
const MODES = [0o644, 0o600, 0o755, 0o640, 0o444];
/**
 * The name of a file that never changes. Without it, the root folder could become empty, and the job would treat an
 * empty root folder as missing.
 */
const ANCHOR = 'anchor';
/** The average number of changes from one burst to the next. */
const CHANGES_PER_BURST = 20;

const WEIGHTS = {
  create: 22,
  edit: 20,
  save: 8,
  append: 12,
  rename: 9,
  'move folder': 5,
  'leave a link': 2,
  delete: 8,
  'delete folder': 1,
  chmod: 7,
  'chmod folder': 2,
  link: 5,
  'hard link': 2,
  'make folder': 4,
  'change type': 4,
  copy: 4,
  large: 0.4,
};

const FOLDER_DEEDS: ReadonlySet<Deed> = new Set([
  'move folder',
  'leave a link',
  'delete folder',
  'chmod folder',
]);

type Deed = keyof typeof WEIGHTS | 'clear';

/**
 * The error codes for changes that the current tree does not allow, such as creating a file where a folder exists. Such
 * changes are skipped.
 */
const NOT_ALLOWED = new Set([
  'EACCES',
  'ENOTDIR',
  'EEXIST',
  'ENOENT',
  'EISDIR',
  'ENOTEMPTY',
  'EINVAL',
  'EPERM',
]);

export class FolderLife {
  readonly #root: string;
  readonly #dice: Dice;
  readonly #history: History;
  /** The SHA-256 of every content that a file or a link target ever had. */
  readonly #contents = new Set([EMPTY_SHA256]);
  /** Every key that ever existed in the folder. The soak test's other client writes to these keys. */
  readonly #paths = new Set<string>();
  readonly #bursts: BurstLife | undefined;
  #count = 0;

  /** `burst` is the maximum number of files that change at once in a burst. 0 means no bursts. */
  constructor(root: string, dice: Dice, { history, burst }: { history: History; burst: number }) {
    this.#root = root;
    this.#dice = dice;
    this.#history = history;
    const text = (sizeBytes: number) => this.#text(sizeBytes);
    if (burst > 0) this.#bursts = new BurstLife({ root, dice, files: burst, text });
    writeFileSync(join(root, ANCHOR), this.#text(10));
    for (let file = 0; file < 40; file += 1) this.#try('create');
  }

  /** Makes one random change in the folder. */
  step(): void {
    if (this.#bursts && this.#dice.below(CHANGES_PER_BURST) === 0) return this.#burst(this.#bursts);
    const deed = this.#dice.weighed(WEIGHTS);
    const entries = this.#entries();
    const files = entries.filter((entry) => entry.isFile()).length;
    if (entries.length > MOST_ENTRIES) this.#try('clear');
    else if (files < FEWEST_FILES) this.#try('create');
    else this.#try(files > MOST_FILES && deed === 'create' ? 'delete' : deed);
  }

  /** Returns whether a file ever had the content with this SHA-256. */
  had(content: string): boolean {
    return this.#contents.has(content);
  }

  paths(): readonly string[] {
    return [...this.#paths];
  }

  /**
   * Edits or deletes a random file and returns its path, so that another client can write to the same key at the same
   * time.
   */
  touchOne(): string | undefined {
    const path = this.#pick('file');
    if (path === undefined) return undefined;
    const deed = this.#dice.pick(['edit', 'delete']);
    this.#history.add('folder', `${deed} ${JSON.stringify(path)}, in a race`);
    const isDone = this.#isAllowed(() => {
      if (deed === 'delete') rmSync(join(this.#root, path));
      else writeFileSync(join(this.#root, path), this.#text());
    });
    if (!isDone) return undefined;
    this.#paths.add(path);
    return path;
  }

  #burst(bursts: BurstLife): void {
    const { done, paths } = bursts.step();
    this.#history.add('burst', done);
    for (const path of paths) this.#paths.add(path);
  }

  #try(deed: Deed): void {
    this.#isAllowed(() => {
      const done = this.#do(deed);
      if (done !== undefined) this.#history.add('folder', `${deed} ${done}`);
    });
  }

  /** Makes a change. Returns false if the current tree does not allow the change. */
  #isAllowed(change: () => void): boolean {
    try {
      change();
      return true;
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === undefined || !NOT_ALLOWED.has(code)) throw error;
      return false;
    }
  }

  /** Makes a change. Returns the changed paths, or undefined if there is nothing to change. */
  #do(deed: Deed): string | undefined {
    const dice = this.#dice;
    const [to, file, folder] = [this.#somePath(), this.#pick('file'), this.#pick('folder')];
    const at = (path: string) => join(this.#root, path);
    const named = (...paths: string[]) => paths.map((path) => JSON.stringify(path)).join(' ');
    switch (deed) {
      case 'create':
        this.#place(to, () => writeFileSync(at(to), this.#text()));
        return named(to);
      case 'large':
        this.#place(to, () => writeFileSync(at(to), this.#text(LARGE_BYTES + dice.below(99_999))));
        return named(to);
      case 'link':
        this.#place(to, () => this.#link(to, `nowhere/${(this.#count += 1)}`));
        return named(to);
      case 'make folder':
        this.#place(to, () => mkdirSync(at(to)));
        return named(to);
      case 'change type':
        return this.#changeType();
      case 'clear':
        return this.#clear();
    }
    if (FOLDER_DEEDS.has(deed)) {
      if (folder === undefined) return undefined;
      if (deed === 'delete folder') rmSync(at(folder), { recursive: true });
      else if (deed === 'chmod folder') chmodSync(at(folder), dice.pick([0o755, 0o700]) ?? 0o755);
      else this.#place(to, () => renameSync(at(folder), at(to)));
      if (deed === 'leave a link') this.#link(folder, at(to));
      return deed.startsWith('move') || deed.startsWith('leave')
        ? named(folder, to)
        : named(folder);
    }
    if (file === undefined) return undefined;
    this.#paths.add(file);
    switch (deed) {
      case 'edit':
        writeFileSync(at(file), this.#text());
        return named(file);
      case 'save':
        // Replaces the file like an editor: writes a new file in the same folder and renames it.
        writeFileSync(at(`${file}~`), this.#text());
        renameSync(at(`${file}~`), at(file));
        return named(file);
      case 'append':
        appendFileSync(at(file), `more ${(this.#count += 1)}\n`);
        this.#contents.add(sha256(readFileSync(at(file))));
        return named(file);
      case 'delete':
        rmSync(at(file));
        return named(file);
      case 'chmod':
        chmodSync(at(file), dice.pick(MODES) ?? 0o644);
        return named(file);
      case 'rename':
        this.#place(to, () => renameSync(at(file), at(to)));
        return named(file, to);
      case 'copy':
        // A new modification time alone creates no version, but the final check compares modification times.
        if (sameContent(at(file), at(to))) return undefined;
        this.#place(to, () => copyFileSync(at(file), at(to)));
        return named(file, to);
      case 'hard link':
        this.#place(to, () => linkSync(at(file), at(to)));
        return named(file, to);
    }
    return undefined;
  }

  #place(path: string, make: () => void): void {
    mkdirSync(dirname(join(this.#root, path)), { recursive: true });
    make();
    this.#paths.add(path);
  }

  /** Replaces a file, a link or a folder with another of these three types. */
  #changeType(): string | undefined {
    const entry = this.#dice.pick(this.#entries());
    if (!entry) return undefined;
    const path = this.#pathOf(entry);
    const at = join(this.#root, path);
    rmSync(at, { recursive: true });
    const kind = this.#dice.pick(['file', 'link', 'folder']);
    if (kind === 'file') writeFileSync(at, this.#text());
    else if (kind === 'link') this.#link(path, `nowhere/${(this.#count += 1)}`);
    else {
      mkdirSync(at);
      writeFileSync(join(at, 'inside'), this.#text());
    }
    this.#paths.add(path);
    return `${JSON.stringify(path)} into a ${kind}`;
  }

  /** Removes a link or an empty folder. */
  #clear(): string | undefined {
    const isEmpty = (path: string) => readdirSync(join(this.#root, path)).length === 0;
    const entry = this.#dice.pick(
      this.#entries().filter(
        (each) => each.isSymbolicLink() || (each.isDirectory() && isEmpty(this.#pathOf(each))),
      ),
    );
    if (!entry) return undefined;
    rmSync(join(this.#root, this.#pathOf(entry)), { recursive: true });
    return JSON.stringify(this.#pathOf(entry));
  }

  /**
   * Returns a new text that no file had before. Two of three texts are small enough for the store to save them in its
   * database.
   */
  #text(sizeBytes = this.#size()): string {
    const words = `text ${(this.#count += 1)} of a folder that is kept.\n`;
    const text = words.repeat(Math.ceil(sizeBytes / words.length));
    for (const each of startsOf(Buffer.from(text))) this.#contents.add(each);
    return text;
  }

  #size(): number {
    const dice = this.#dice.below(20);
    if (dice < 14) return 1 + this.#dice.below(4_000);
    return 1 + this.#dice.below(dice < 19 ? 90_000 : 400_000);
  }

  #link(path: string, target: string): void {
    this.#contents.add(sha256(Buffer.from(target)));
    symlinkSync(target, join(this.#root, path));
    this.#paths.add(path);
  }

  #somePath(): string {
    const depth = 1 + this.#dice.below(DEEPEST);
    return Array.from({ length: depth }, () => this.#dice.pick(NAMES)).join('/');
  }

  #pick(kind: 'file' | 'folder'): string | undefined {
    const entries = this.#entries().filter((entry) =>
      kind === 'file' ? entry.isFile() : entry.isDirectory(),
    );
    const entry = this.#dice.pick(entries);
    return entry && this.#pathOf(entry);
  }

  #entries(): readonly Dirent[] {
    const entries = readdirSync(this.#root, { recursive: true, withFileTypes: true });
    const sorted = entries.sort((a, b) => (this.#pathOf(a) < this.#pathOf(b) ? -1 : 1));
    return sorted.filter((entry) => {
      const [top] = this.#pathOf(entry).split('/');
      return top !== ANCHOR && top !== BURSTS;
    });
  }

  #pathOf({ parentPath, name }: Dirent): string {
    return join(parentPath, name).slice(this.#root.length + 1);
  }
}

/**
 * Yields the SHA-256 of each incomplete content that a file can have during a write. A busy system may interrupt a
 * write after any page.
 */
function* startsOf(content: Buffer): Generator<string> {
  const digest = createHash('sha256');
  for (let at = 0; at < content.byteLength; at += PAGE_BYTES) {
    digest.update(content.subarray(at, at + PAGE_BYTES));
    yield digest.copy().digest('hex');
  }
}

/**
 * Returns the expected keys for a folder, each with the description that `describeHead` returns for its version's
 * metadata.
 */
export function keysOf(root: string, directory = ''): Map<string, string> {
  const keys = new Map<string, string>();
  for (const name of readdirSync(join(root, directory)).sort()) {
    const path = directory === '' ? name : `${directory}/${name}`;
    const { mode, mtimeNs } = lstatSync(join(root, path), { bigint: true });
    const bits = (mode & 0o7777n).toString(8).padStart(4, '0');
    const stats = lstatSync(join(root, path));
    if (stats.isDirectory()) {
      const below = keysOf(root, path);
      if (below.size === 0 || bits !== '0755') keys.set(`${path}/`, `directory ${bits}`);
      for (const [key, what] of below) keys.set(key, what);
    } else if (stats.isSymbolicLink())
      keys.set(path, `symlink ${sha256(readlinkSync(join(root, path), 'buffer'))}`);
    else keys.set(path, `file ${bits} ${mtimeNs} ${sha256(readFileSync(join(root, path)))}`);
  }
  return keys;
}

function sameContent(one: string, other: string): boolean {
  const isFile = statSync(other, { throwIfNoEntry: false })?.isFile() === true;
  return isFile && readFileSync(one).equals(readFileSync(other));
}
