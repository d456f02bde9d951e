/** Runs long database queries on a separate thread, because they would block the event loop. */

import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';

import type { MetadataCheck } from '../integrity/check-metadata.ts';
import type { DamagedObject } from '../../object-store/damage.ts';
import type { EqualVersions } from '../integrity/damaged-versions.ts';
import type { DamagedVersion } from '../integrity/problems.ts';

/** A query for the maintenance thread, with the path of the database. */
export type Question = { readonly metadata: string } & (
  | { readonly ask: 'check' }
  | { readonly ask: 'pages' }
  | { readonly ask: 'equal' }
  | { readonly ask: 'versions'; readonly blobId: number }
  | { readonly ask: 'damaged'; readonly bucket: string; readonly prefix: string }
);

export type UpkeepMessage = { readonly step: string } | { readonly answer: unknown };

/** Runs `checkMetadata` on a separate thread. Calls `onStep` before each step of the check. */
export function askMetadataCheck(
  metadata: string,
  onStep: (what: string) => void,
): Promise<MetadataCheck> {
  return ask({ metadata, ask: 'check' }, onStep) as Promise<MetadataCheck>;
}

/**
 * Checks the database pages on a separate thread. Returns the first damage; undefined if all pages
 * are intact.
 */
export function askPagesCheck(metadata: string): Promise<string | undefined> {
  return ask({ metadata, ask: 'pages' }) as Promise<string | undefined>;
}

export function askVersionsOf(
  metadata: string,
  blobId: number,
): Promise<readonly DamagedVersion[]> {
  return ask({ metadata, ask: 'versions', blobId }) as Promise<readonly DamagedVersion[]>;
}

export function askDamagedBelow(
  metadata: string,
  place: { readonly bucket: string; readonly prefix: string },
): Promise<readonly DamagedObject[]> {
  return ask({ metadata, ask: 'damaged', ...place }) as Promise<readonly DamagedObject[]>;
}

export function askEqualVersions(metadata: string): Promise<readonly EqualVersions[]> {
  return ask({ metadata, ask: 'equal' }) as Promise<readonly EqualVersions[]>;
}

async function ask(
  question: Question,
  onStep: (what: string) => void = () => {},
): Promise<unknown> {
  const script = `./upkeep-worker${extname(import.meta.url)}`;
  const worker = new Worker(new URL(script, import.meta.url), { workerData: question });
  try {
    return await new Promise((resolve, reject) => {
      worker.on('error', reject);
      worker.on('exit', () => reject(new Error('check store: its thread ended without a result')));
      worker.on('message', (message: UpkeepMessage) => {
        if ('step' in message) onStep(message.step);
        else resolve(message.answer);
      });
    });
  } finally {
    await worker.terminate();
  }
}
