/** What of a home is neither an object nor made again by itself: the files of a backup of the state. */

import { createHash } from 'node:crypto';
import { createReadStream, existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

import { z } from 'zod';

import { once } from '../src/base/once.ts';
import { KEY_FILE } from '../src/mirror/objects/provenance-key.ts';
import type { Home } from '../src/config/home.ts';

export interface StateFile {
  /** In the backup; `/` separates. */
  readonly name: string;
  /** In the home. */
  readonly path: string;
}

/** Of a job, or of a target's credentials: what a file may be called, and never a way out of its folder. */
const NAME = '(?!\\.{1,2}/|\\.{1,2}$)[^/\\0]+';
const DATA = ['identity.sqlite', 'monitoring.sqlite', 'clusters.sqlite', 'link-secret', 'host-id'];
const OF_JOB = ['state.sqlite', 'place.json', KEY_FILE];
const KNOWN = new RegExp(
  `^(config\\.yaml|credentials/${NAME}|data/(${DATA.join('|')})|state/jobs/${NAME}/(${OF_JOB.join('|')}))$`,
);
/** More than any home has: a manifest is read whole. */
const MAX_FILES = 100_000;

export const MANIFEST = 'manifest.json';
export const FORMAT = 1;

export const manifestSchema = once(() =>
  z.strictObject({
    format: z.literal(FORMAT),
    /** The release that made it. */
    version: z.string(),
    createdAt: z.number(),
    files: z
      .array(
        z.strictObject({
          name: z.string().regex(KNOWN),
          sizeBytes: z.int().min(0),
          sha256: z.string().regex(/^[0-9a-f]{64}$/),
        }),
      )
      .max(MAX_FILES),
  }),
);

export type Manifest = z.infer<ReturnType<typeof manifestSchema>>;

export function isDatabase(name: string): boolean {
  return name.endsWith('.sqlite');
}

/** Those that are there. Throws where a folder cannot be read. */
export function stateFiles(home: Home): StateFile[] {
  const names = [
    'config.yaml',
    ...namesIn(home.credentialsDir).map((name) => `credentials/${name}`),
    ...DATA.map((name) => `data/${name}`),
    ...namesIn(join(home.stateDir, 'jobs')).flatMap((job) =>
      OF_JOB.map((name) => `state/jobs/${job}/${name}`),
    ),
  ];
  return names
    .filter((name) => KNOWN.test(name))
    .map((name) => ({ name, path: pathIn(home, name) }))
    .filter(({ path }) => existsSync(path));
}

/** Where a file of a backup belongs. `name` is one that the manifest's schema let through. */
export function pathIn(home: Home, name: string): string {
  const [top = '', ...rest] = name.split('/');
  if (top === 'config.yaml') return home.configFile;
  const roots = { credentials: home.credentialsDir, data: home.dataDir, state: home.stateDir };
  return join(roots[top as keyof typeof roots], ...rest);
}

/** In hexadecimal. */
export async function sha256Of(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer);
  return hash.digest('hex');
}

function namesIn(folder: string): string[] {
  return existsSync(folder) ? readdirSync(folder) : [];
}
