/** Lists the files of a home that a backup of the state contains: all that cannot be recreated from objects. */

import { createHash } from 'node:crypto';
import { createReadStream, existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

import { z } from 'zod';

import { once } from '../../src/base/once.ts';
import { KEY_FILE } from '../../src/mirror/objects/provenance-key.ts';
import type { Home } from '../../src/config/home.ts';

export interface StateFile {
  /** Path in the backup, relative, with `/` as separator. */
  readonly name: string;
  /** Path in the home, absolute. */
  readonly path: string;
}

/** Name of a job or of a credentials file. It cannot leave its folder. */
const NAME = '(?!\\.{1,2}/|\\.{1,2}$)[^/\\0]+';
const DATA = ['identity.sqlite', 'monitoring.sqlite', 'clusters.sqlite', 'link-secret', 'host-id'];
const OF_JOB = ['state.sqlite', 'place.json', KEY_FILE];
const KNOWN = new RegExp(
  `^(config\\.yaml|credentials/${NAME}|data/(${DATA.join('|')})|state/jobs/${NAME}/(${OF_JOB.join('|')}))$`,
);
/** Maximum number of files in a manifest, to limit its memory. No home has so many files. */
const MAX_FILES = 100_000;

export const MANIFEST = 'manifest.json';
export const FORMAT = 1;

export const manifestSchema = once(() =>
  z.strictObject({
    format: z.literal(FORMAT),
    /** Release that wrote the backup. */
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

/** Returns the path in the home of a file of a backup. `name` must match the manifest's schema. */
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
