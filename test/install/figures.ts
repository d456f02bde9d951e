/** The sizes that the README names, to be held against what is measured. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export const ROOT = join(import.meta.dirname, '../..');

/** `a tarball of 0.9 MB, 80 MB installed`: of 10^6 bytes. */
const FIGURES = /tarball of ([\d.]+) MB, ([\d.]+) MB\s+installed/;

/** Room for a release's growth, and for what the registry's newer patches bring. */
const BAND = 0.15;

export function statedMegabytes(): { readonly tarball: number; readonly installed: number } {
  const readme = readFileSync(join(ROOT, 'README.md'), 'utf8');
  const [, tarball, installed] = FIGURES.exec(readme) ?? [];
  return { tarball: Number(tarball), installed: Number(installed) };
}

export function isWithinBand(stated: number, sizeBytes: number): boolean {
  return Math.abs(sizeBytes / 1e6 - stated) <= stated * BAND;
}
