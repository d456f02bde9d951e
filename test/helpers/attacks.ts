/** Simulated ransomware: functions that encrypt the files of a folder as known attacks do. */

import { createCipheriv, randomBytes } from 'node:crypto';
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';

import { sampleFiles } from './sample-files.ts';

/** Simulated attacks by name. Each function encrypts the file at `path`. */
export const ATTACKS = {
  'in place': (path) => writeFileSync(path, encrypt(readFileSync(path))),
  'in place, as base64': (path) =>
    writeFileSync(path, encrypt(readFileSync(path)).toString('base64')),
  'in place, the headers kept': (path) => {
    const bytes = readFileSync(path);
    writeFileSync(path, Buffer.concat([bytes.subarray(0, 512), encrypt(bytes.subarray(512))]));
  },
  'in place, the time set back': (path) => {
    const { atime, mtime } = statSync(path);
    writeFileSync(path, encrypt(readFileSync(path)));
    utimesSync(path, atime, mtime);
  },
  'renamed, then in place': (path) => {
    renameSync(path, `${path}.locked`);
    writeFileSync(`${path}.locked`, encrypt(readFileSync(`${path}.locked`)));
  },
  'a new file with a suffix, then deleted': (path) => {
    writeFileSync(`${path}.locked`, encrypt(readFileSync(path)));
    rmSync(path);
  },
  'a new file with another suffix, then deleted': (path) => {
    writeFileSync(path.replace(/\.[^.]+$/, '.crypt'), encrypt(readFileSync(path)));
    rmSync(path);
  },
} as const satisfies Readonly<Record<string, (path: string) => void>>;

export type Attack = keyof typeof ATTACKS;

export function encrypt(bytes: Uint8Array): Buffer {
  return createCipheriv('aes-256-ctr', randomBytes(32), randomBytes(16)).update(bytes);
}

/** Fills a folder with `sets` copies of the sample files, with different file names and contents. */
export function fillFolder(root: string, sets: number): void {
  for (let set = 0; set < sets; set++)
    for (const [name, bytes] of Object.entries(sampleFiles(set + 1))) {
      const dot = name.lastIndexOf('.');
      const path = join(
        root,
        `year ${2020 + (set % 4)}`,
        `${name.slice(0, dot)} ${set}${name.slice(dot)}`,
      );
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, bytes);
    }
}

/** Returns the absolute paths of all files below a folder, sorted. */
export function filesBelow(root: string): string[] {
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}
