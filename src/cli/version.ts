/** Reads the version of Holdfast from package.json. */

import { readFileSync } from 'node:fs';

/**
 * The possible locations of package.json: relative to the sources, and relative to `dist/`, which is one
 * directory deeper.
 */
const MANIFESTS = ['../../package.json', '../../../package.json'];

/** Returns the version, or `unknown` if package.json cannot be read. */
export function ownVersion(): string {
  for (const manifest of MANIFESTS) {
    const version = versionIn(new URL(manifest, import.meta.url));
    if (version !== undefined) return version;
  }
  return 'unknown';
}

function versionIn(manifest: URL): string | undefined {
  try {
    const parsed: unknown = JSON.parse(readFileSync(manifest, 'utf8'));
    return (parsed as { readonly version?: string }).version;
  } catch {
    return undefined;
  }
}
