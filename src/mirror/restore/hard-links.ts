/** Names of one file: each has its own object with all bytes; the first that is restored is the file, the others become names of it. */

import { type BigIntStats, linkSync, lstatSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';

import type { StoredAttributes } from '../local/attributes.ts';
import { giveName } from '../local/give-way.ts';
import { temporaryName } from '../local/temporary-name.ts';

type Linked = Pick<StoredAttributes, 'link' | 'sha256'>;

export class HardLinks {
  /** Number and content → absolute path of the file. */
  readonly #files = new Map<string, string>();

  /** Where this file is already, under another name. */
  find(attributes: Linked): string | undefined {
    const id = idOf(attributes);
    return id === undefined ? undefined : this.#files.get(id);
  }

  note(path: string, attributes: Linked): void {
    const id = idOf(attributes);
    if (id !== undefined && !this.#files.has(id)) this.#files.set(id, path);
  }
}

/** Whether the file at this absolute path is the one that was seen. */
export function isOneFile(file: string, seen: BigIntStats): boolean {
  const { dev, ino } = lstatSync(file, { bigint: true });
  return dev === seen.dev && ino === seen.ino;
}

/** Both absolute. `makeWay`: nothing stands at `path` when it returns. Throws a system error. */
export function linkTo(file: string, path: string, makeWay: () => void): void {
  withLink(file, path, (temporary) => {
    makeWay();
    giveName(temporary, path);
  });
}

/** Both absolute: of two files that were just restored, the one at `path` becomes a name of the other. Throws a system error. */
export function becomeLink(path: string, file: string): void {
  withLink(file, path, (temporary) => renameSync(temporary, path));
}

/** What cannot be linked moves nothing. */
function withLink(file: string, path: string, use: (temporary: string) => void): void {
  const temporary = `${dirname(path)}/${temporaryName()}`;
  linkSync(file, temporary);
  try {
    use(temporary);
  } finally {
    // A rename between two names of one file does nothing.
    rmSync(temporary, { force: true });
  }
}

/** The number alone may be another file's by now; without a digest nobody knows. */
function idOf({ link, sha256 }: Linked): string | undefined {
  return link === undefined || sha256 === undefined ? undefined : `${link} ${sha256}`;
}
