/** Loads the skins in the user's skin directory, and reloads a skin when its file changes. */

import { readdirSync, readFileSync, statSync, watch } from 'node:fs';
import type { FSWatcher } from 'node:fs';
import { dirname, join } from 'node:path';

import type { Clock } from '../../src/base/clock.ts';
import { errorCode } from '../../src/base/errors.ts';
import { THEMES } from './look.ts';
import { faintColours, parseSkin } from './skin-file.ts';
import type { Skin } from './skins.ts';

/** Limits the work if the directory is the wrong one. Users have far fewer skins. */
const MOST_SKINS = 100;
const MOST_BYTES = 64 * 1_024;
/** The delay before a changed file is read, because editors write a file in several steps. */
const SETTLED_MS = 100;
const FILE = /^([\w-]+)\.json$/;

interface SkinFolderOptions {
  readonly folder: string;
  readonly clock: Clock;
  /** Reports an invalid skin with a text that names the skin and the field. The same content is reported only once. */
  readonly warn: (text: string) => void;
  readonly changed: (skins: ReadonlyMap<string, Skin>) => void;
}

export class SkinFolder {
  readonly #options: SkinFolderOptions;
  #texts = new Map<string, string>();
  /** The valid skins by name. If a file becomes invalid, the last valid skin remains. */
  #skins = new Map<string, Skin>();
  #watcher: FSWatcher | undefined;
  #cancel: (() => void) | undefined;

  constructor(options: SkinFolderOptions) {
    this.#options = options;
  }

  get skins(): ReadonlyMap<string, Skin> {
    return this.#skins;
  }

  /** Reads all skins. A missing directory counts as empty. */
  read(): void {
    const { folder, warn } = this.#options;
    const found = new Map<string, Skin>();
    const texts = new Map<string, string>();
    for (const name of this.#names()) {
      const before = this.#skins.get(name);
      try {
        const text = readText(join(folder, `${name}.json`));
        const isSame = this.#texts.get(name) === text;
        texts.set(name, text);
        const skin = isSame ? before : this.#parsed(name, text);
        if (skin) found.set(name, skin);
      } catch (error) {
        if (before) found.set(name, before);
        warn(`skin ${name}: ${(error as Error).message}`);
      }
    }
    this.#skins = found;
    this.#texts = texts;
  }

  #parsed(name: string, text: string): Skin {
    if ((THEMES as readonly string[]).includes(name)) {
      throw new Error('a shipped theme has that name; rename the file');
    }
    const skin = parseSkin(text);
    const faint = faintColours(skin);
    const are = 'a contrast of less than 4.5:1 to the background';
    if (faint.length > 0) this.#options.warn(`skin ${name}: ${faint.join(', ')}: ${are}`);
    return skin;
  }

  #names(): readonly string[] {
    try {
      const names = readdirSync(this.#options.folder).map((file) => FILE.exec(file)?.[1] ?? '');
      return names.filter((name) => name !== '').slice(0, MOST_SKINS);
    } catch (error) {
      if (errorCode(error) === 'ENOENT') return [];
      this.#options.warn(`cannot read skins: ${(error as Error).message}`);
      return [];
    }
  }

  /** Reloads skins when their files change, until `close` is called. */
  watch(): void {
    const { folder, warn } = this.#options;
    try {
      this.#watchOne(folder);
    } catch (error) {
      if (errorCode(error) !== 'ENOENT') return warn(`cannot watch skins: ${String(error)}`);
      this.#watchParent();
    }
  }

  /** Watches the parent directory until the skin directory exists. */
  #watchParent(): void {
    try {
      this.#watchOne(dirname(this.#options.folder));
    } catch (error) {
      // If the configuration directory does not exist either, there is nothing to watch.
      if (errorCode(error) !== 'ENOENT') this.#options.warn(`cannot watch skins: ${String(error)}`);
    }
  }

  #watchOne(folder: string): void {
    const watcher = watch(folder, { persistent: false }, () => this.#soon());
    watcher.on('error', (error) => this.#options.warn(`cannot watch skins: ${error.message}`));
    this.#watcher = watcher;
  }

  #soon(): void {
    this.#cancel?.();
    this.#cancel = this.#options.clock.after(SETTLED_MS, () => {
      this.read();
      this.#options.changed(this.#skins);
      // The skin directory may have been created or replaced, so it needs a new watcher.
      this.#watcher?.close();
      this.watch();
    });
  }

  close(): void {
    this.#cancel?.();
    this.#watcher?.close();
  }
}

function readText(file: string): string {
  const { size } = statSync(file);
  if (size > MOST_BYTES) throw new Error(`the file has more than ${MOST_BYTES} bytes`);
  return readFileSync(file, 'utf8');
}
