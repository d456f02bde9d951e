/**
 * Lists the files of a home folder that a backup of the state contains: all files that cannot be recreated from
 * objects.
 */

import { createHash } from 'node:crypto';
import { createReadStream, existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

import { z } from 'zod';

import { once } from '../../src/base/once.ts';
import { KEY_FILE } from '../../src/mirror/objects/provenance-key.ts';
import type { Home } from '../../src/config/home.ts';

export interface StateFile {
  /** The relative path in the backup, with `/` as separator. */
  readonly name: string;
  /** The absolute path in the home folder. */
  readonly path: string;
}

/** Matches the name of a job or of a credentials file. Such a name cannot lead out of its folder. */
const NAME = '(?!\\.{1,2}/|\\.{1,2}$)[^/\\0]+';
const DATA = ['identity.sqlite', 'monitoring.sqlite', 'clusters.sqlite', 'link-secret', 'host-id'];
const OF_JOB = ['state.sqlite', 'place.json', KEY_FILE];
const KNOWN = new RegExp(
  `^(config\\.yaml|credentials/${NAME}|data/(${DATA.join('|')})|state/jobs/${NAME}/(${OF_JOB.join('|')}))$`,
);
/** The maximum number of files in a manifest. It limits memory usage. No home folder has so many files. */
const MAX_FILES = 100_000;

export const MANIFEST = 'manifest.json';
export const FORMAT = 1;

export const manifestSchema = once(() =>
  z.strictObject({
    format: z.literal(FORMAT),
    /** The version of Holdfast that wrote the backup. */
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

/** Returns the files that exist. Throws if a folder cannot be read. */
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

/** Returns the path in the home folder for a file of a backup. `name` must match the manifest's schema. */
export function pathIn(home: Home, name: string): string {
  const [top = '', ...rest] = name.split('/');
  if (top === 'config.yaml') return home.configFile;
  const roots = { credentials: home.credentialsDir, data: home.dataDir, state: home.stateDir };
  return join(roots[top as keyof typeof roots], ...rest);
}

/** Returns the SHA-256 of a file in hexadecimal. */
export async function sha256Of(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer);
  return hash.digest('hex');
}

function namesIn(folder: string): string[] {
  return existsSync(folder) ? readdirSync(folder) : [];
}
