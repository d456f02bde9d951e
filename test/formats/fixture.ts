/**
 * Reads and writes fixtures. A fixture is one compressed file with the files of an earlier format and with the results
 * of the code that wrote them.
 */

import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib';

/** Format number (`user_version`) of each database. */
export type Formats = Readonly<Record<string, number>>;

export interface Fixture<Contents = unknown> {
  /** Commit whose code wrote the files. */
  readonly commit: string;
  readonly formats: Formats;
  /** Time of creation in milliseconds since 1970, by the clock of that code. */
  readonly madeAt: number;
  /** Data that the code of that commit read from the files. */
  readonly contents: Contents;
  /** File contents by path, with one character per byte. */
  readonly files: Readonly<Record<string, string>>;
}

const FOLDER = join(import.meta.dirname, 'fixtures');
const ENDING = '.json.br';
/** Name of `contents` in the files. It cannot change, because the fixtures of earlier formats never change. */
const STORED_NAME = 'told';
/** Offset of `user_version` in a SQLite file, a big-endian number of 32 bits. */
const USER_VERSION_AT = 60;

export type Kind = 'config' | 'home' | 'store';

export function fixtureNames(kind: Kind): readonly string[] {
  const names = readdirSync(FOLDER).filter((name) => name.startsWith(`${kind}-`));
  return names.map((name) => name.slice(0, -ENDING.length)).toSorted();
}

/** Returns the next name for fixtures that are numbered consecutively. */
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
  // Use the largest window, because similar database pages can be far apart.
  const params = { [BROTLI_PARAM_LGWIN]: 24, [BROTLI_PARAM_SIZE_HINT]: json.length };
  const compressed = brotliCompressSync(json, { params });
  writeFileSync(path, compressed);
  return [path, compressed.length];
}

/** Returns the contents of all files below a folder, except paths that match `leftOut`. */
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

/** Writes the files of a fixture, readable only by the owner. */
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

/** Changes the format number of a database, as a later version of Holdfast would. */
export function setFormat(database: string, format: number): void {
  const bytes = readFileSync(database);
  bytes.writeUInt32BE(format, USER_VERSION_AT);
  writeFileSync(database, bytes);
}
