/** Files of an earlier format, as the code of its time wrote them, and what that code said of them: one small file. */

import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib';

/** Each database, and the number in its `user_version`. */
export type Formats = Readonly<Record<string, number>>;

export interface Fixture<Told = unknown> {
  /** The commit whose code wrote the files. */
  readonly commit: string;
  readonly formats: Formats;
  /** By the clock of that code. */
  readonly madeAt: number;
  /** What it told of them. */
  readonly told: Told;
  /** Content by path; each byte is one character. */
  readonly files: Readonly<Record<string, string>>;
}

const FOLDER = join(import.meta.dirname, 'fixtures');
const ENDING = '.json.br';
/** `user_version` stands here in every file of SQLite, big-endian. */
const USER_VERSION_AT = 60;

export type Kind = 'config' | 'home' | 'store';

export function fixtureNames(kind: Kind): readonly string[] {
  const names = readdirSync(FOLDER).filter((name) => name.startsWith(`${kind}-`));
  return names.map((name) => name.slice(0, -ENDING.length)).toSorted();
}

/** Of the next one, where their order is all there is to tell. */
export function nextName(kind: Kind): string {
  return `${kind}-${String(fixtureNames(kind).length + 1).padStart(2, '0')}`;
}

export function readFixture<Told>(name: string): Fixture<Told> {
  const json = brotliDecompressSync(readFileSync(join(FOLDER, name + ENDING))).toString();
  return JSON.parse(json) as Fixture<Told>;
}

/** The path of what was written, and how large it is. */
export function writeFixture(name: string, fixture: Fixture): [path: string, sizeBytes: number] {
  const path = join(FOLDER, name + ENDING);
  const json = Buffer.from(JSON.stringify(fixture));
  const { BROTLI_PARAM_LGWIN, BROTLI_PARAM_SIZE_HINT } = constants;
  // Pages of databases repeat what others have, far away.
  const params = { [BROTLI_PARAM_LGWIN]: 24, [BROTLI_PARAM_SIZE_HINT]: json.length };
  const compressed = brotliCompressSync(json, { params });
  writeFileSync(path, compressed);
  return [path, compressed.length];
}

/** What lies below a folder, but for what `leftOut` names. */
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

/** Private, as they were. */
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

/** As a later Holdfast would. */
export function setFormat(database: string, format: number): void {
  const bytes = readFileSync(database);
  bytes.writeUInt32BE(format, USER_VERSION_AT);
  writeFileSync(database, bytes);
}
