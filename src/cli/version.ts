/** The release, as package.json names it. */

import { readFileSync } from 'node:fs';

/** From the sources and from `dist/`, which lies one folder deeper. */
const MANIFESTS = ['../../package.json', '../../../package.json'];

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
