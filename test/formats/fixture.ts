/**
 * Reads and writes fixtures. A fixture is one compressed file. It contains files in an earlier format, and the data
 * that the code of that time read from them.
 */

import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib';

/** The format number (`user_version`) of each database. */
export type Formats = Readonly<Record<string, number>>;

export interface Fixture<Contents = unknown> {
  /** The commit whose code wrote the files. */
  readonly commit: string;
  readonly formats: Formats;
  /**
   * The time of creation in milliseconds since 1970, from the clock of the code that wrote the
   * files.
   */
  readonly madeAt: number;
  /** The data that the code of the commit read from the files. */
  readonly contents: Contents;
  /** The contents of the files by path, with one character per byte. */
  readonly files: Readonly<Record<string, string>>;
}

const FOLDER = join(import.meta.dirname, 'fixtures');
const ENDING = '.json.br';
/** The name of `contents` in the fixture files. It cannot change, because existing fixtures never change. */
const STORED_NAME = 'told';
/** The offset of `user_version` in a SQLite file. The value is a big-endian number of 32 bits. */
const USER_VERSION_AT = 60;

export type Kind = 'config' | 'home' | 'store';

export function fixtureNames(kind: Kind): readonly string[] {
  const names = readdirSync(FOLDER).filter((name) => name.startsWith(`${kind}-`));
  return names.map((name) => name.slice(0, -ENDING.length)).toSorted();
}

/** Returns the next name in a series of numbered fixtures. */
export function nextName(kind: Kind): string {
  return `${kind}-${String(fixtureNames(kind).length + 1).padStart(2, '0')}`;
}

export function readFixture<Contents>(name: string): Fixture<Contents> {
  const json = brotliDecompressSync(readFileSync(join(FOLDER, name + ENDING))).toString();
  const { [STORED_NAME]: contents, ...fixture } = JSON.parse(json) as Omit<
    Fixture<Contents>,
    'contents'
  > & { readonly [STORED_NAME]: Contents };
  return { ...fixture, contents };
}

/** Writes a fixture and returns its path and size in bytes. */
export function writeFixture(
  name: string,
  { contents, ...fixture }: Fixture,
): [path: string, sizeBytes: number] {
  const path = join(FOLDER, name + ENDING);
  const json = Buffer.from(JSON.stringify({ ...fixture, [STORED_NAME]: contents }));
  const { BROTLI_PARAM_LGWIN, BROTLI_PARAM_SIZE_HINT } = constants;
  // The largest window compresses best, because similar database pages can be far apart.
  const params = { [BROTLI_PARAM_LGWIN]: 24, [BROTLI_PARAM_SIZE_HINT]: json.length };
  const compressed = brotliCompressSync(json, { params });
  writeFileSync(path, compressed);
  return [path, compressed.length];
}

/** Returns the contents of all files below a folder, except for paths that match `leftOut`. */
export function packFolder(folder: string, leftOut: RegExp): Record<string, string> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(folder.length + 1))
    .filter((path) => !leftOut.test(path));
  return Object.fromEntries(
    paths.toSorted().map((path) => [path, readFileSync(join(folder, path), 'latin1')]),
  );
}

/** Writes the files of a fixture. Only the owner can read them. */
export function unpack({ files }: Fixture, folder: string): void {
  for (const [path, content] of Object.entries(files)) {
    const file = join(folder, path);
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    writeFileSync(file, content, { encoding: 'latin1' });
    chmodSync(file, 0o600);
  }
}

export function formatOf(database: string): number {
  return readFileSync(database).readUInt32BE(USER_VERSION_AT);
}

/** Changes the format number of a database, as a later version of Holdfast would do. */
export function setFormat(database: string, format: number): void {
  const bytes = readFileSync(database);
  bytes.writeUInt32BE(format, USER_VERSION_AT);
  writeFileSync(database, bytes);
}
