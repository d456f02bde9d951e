/** Compares measured package sizes with the sizes that docs/start/install.md states. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { ROOT } from '../../.ci/packages/npm.ts';

/** Matches text such as `a tarball of 0.9 MB, 80 MB installed`. 1 MB is 10^6 bytes. */
const FIGURES = /tarball of ([\d.]+) MB, ([\d.]+) MB\s+installed/;

/**
 * Allowed relative difference. A release may grow, and the registry may have newer patch releases.
 */
const BAND = 0.15;

export function statedMegabytes(): { readonly tarball: number; readonly installed: number } {
  const page = readFileSync(join(ROOT, 'docs/start/install.md'), 'utf8');
  const [, tarball, installed] = FIGURES.exec(page) ?? [];
  return { tarball: Number(tarball), installed: Number(installed) };
}

export function isWithinBand(stated: number, sizeBytes: number): boolean {
  return Math.abs(sizeBytes / 1e6 - stated) <= stated * BAND;
}
