/** Creates folders with many files, changes them at random and computes checksums. */

import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * Returns a random number generator (mulberry32) whose numbers are at least 0 and less than 1. The
 * same seed gives the same sequence.
 */
export function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

export const sha256 = (bytes: Uint8Array): string =>
  createHash('sha256').update(bytes).digest('hex');

/**
 * Creates small files, 50 in each folder. Every 500th file has about 100 kB, so that the store
 * writes it to a blob file instead of its database.
 */
export function makeTree(root: string, files: number): void {
  for (let index = 0; index < files; index += 1) {
    const file = join(root, `folder ${Math.floor(index / 50)}`, `file-${index}.txt`);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, `${index} `.repeat(index % 500 === 0 ? 20_000 : 20));
  }
}

/** Makes random changes: edits, new files, deletes and moves. */
export function changeTree(root: string, random: () => number, changes: number): void {
  const folders = readdirSync(root);
  const pick = <T>(from: readonly T[]): T | undefined => from[Math.floor(random() * from.length)];
  for (let change = 0; change < changes; change += 1) {
    const folder = join(root, pick(folders) ?? 'new');
    const name = pick(readdirSync(folder));
    const what = random();
    if (name === undefined || what < 0.3)
      writeFileSync(join(folder, `new-${random()}`), `${random()}`);
    else if (what < 0.7) writeFileSync(join(folder, name), `edited ${random()}`);
    else if (what < 0.85) renameSync(join(folder, name), join(folder, `moved-${random()}`));
    else rmSync(join(folder, name));
  }
}

/** Rewrites files in folders that are next to each other, until it has rewritten `count` files. */
export function rewriteFiles(root: string, random: () => number, count: number): void {
  const folders = readdirSync(root);
  const first = Math.floor(random() * folders.length);
  let left = count;
  for (const folder of [...folders.slice(first), ...folders.slice(0, first)])
    for (const name of readdirSync(join(root, folder))) {
      if (left === 0) return;
      writeFileSync(join(root, folder, name), `rewritten ${random()}`);
      left -= 1;
    }
}

/** Returns the SHA-256 of each file, by path relative to the root. */
export function checksums(root: string): Map<string, string> {
  const files = readdirSync(root, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  return new Map(
    files.map((entry) => {
      const file = join(entry.parentPath, entry.name);
      return [file.slice(root.length + 1), sha256(readFileSync(file))];
    }),
  );
}
