/** Checks a backup's invariants against the version list of its bucket. Each finding is a sentence about one key. */

import { defined } from '../../src/base/defined.ts';
import { collect } from '../../src/object-store/body.ts';
import type { ObjectStore } from '../../src/object-store/object-store.ts';
import { sha256 } from '../helpers/tree.ts';
import type { Acknowledged } from './foreign-life.ts';
import { inTurn } from './in-turn.ts';
import { BUCKET, FOREIGN_USER } from './machines.ts';
import { byKey, describeHead, type Version } from './versions.ts';

const BODY_LIMIT_BYTES = 64 * 2 ** 20;

/** The differences between the folder and the bucket that the job reports. */
export interface Listed {
  /** The number of keys that have drifted or are held for review. */
  readonly differing: number;
  readonly foreign: number;
  readonly problems: readonly { readonly path: string }[];
}

/**
 * Checks that the folder equals the current versions. A difference is allowed if another client caused it and the job
 * reports it.
 */
export function judgeHeads(
  folder: ReadonlyMap<string, string>,
  versions: readonly Version[],
  listed: Listed,
): string[] {
  const newest = new Map([...byKey(versions)].map(([key, [head]]) => [key, head]));
  const findings: string[] = [];
  const troubled = new Set(listed.problems.map(({ path }) => path));
  let differing = 0;
  let foreign = 0;
  for (const [key, what] of folder) {
    const head = newest.get(key);
    const is = head && isOurs(head) ? describe(head) : 'theirs';
    if (is === what || troubled.has(key.replace(/\/$/, ''))) continue;
    differing += 1;
    // In a bucket without versioning, another client's delete leaves no delete marker.
    if (head ? isOurs(head) : keepsVersions(versions))
      findings.push(`${JSON.stringify(key)}: the folder has ${what}, the bucket ${is}`);
  }
  for (const [key, head] of newest) {
    if (!head || head.kind === 'delete-marker' || folder.has(key)) continue;
    foreign += 1;
    if (isOurs(head))
      findings.push(`${JSON.stringify(key)}: the folder has nothing, the bucket ${describe(head)}`);
  }
  if (differing !== listed.differing)
    findings.push(
      `${differing} current versions are from other clients, but the job reports ${listed.differing}`,
    );
  if (foreign !== listed.foreign)
    findings.push(
      `${foreign} objects are from other clients, but the job reports ${listed.foreign}`,
    );
  return findings;
}

function describe(head: Version): string {
  return head.kind === 'delete-marker' ? 'a marker' : describeHead(head);
}

/** Returns the keys whose current version was written or deleted by another client. */
export function theirKeys(
  versions: readonly Version[],
  folder: ReadonlyMap<string, string>,
): Set<string> {
  const heads = new Map([...byKey(versions)].map(([key, [head]]) => [key, head]));
  const isTheirs = (key: string) => {
    const head = heads.get(key);
    return head ? !isOurs(head) : !keepsVersions(versions);
  };
  return new Set([...heads.keys(), ...folder.keys()].filter(isTheirs));
}

function keepsVersions(versions: readonly Version[]): boolean {
  return versions.some(({ versionId }) => versionId !== 'null');
}

function isOurs({ kind, journalId, owner }: Version): boolean {
  if (kind === 'version') return journalId !== undefined;
  return owner === undefined || !owner.includes(FOREIGN_USER);
}

function isForeign(version: Version): boolean {
  return version.kind === 'version' && !isOurs(version);
}

/** Checks that each version is readable, matches its metadata, and has content that was in the folder at some time. */
export async function judgeContents(
  store: ObjectStore,
  versions: readonly Version[],
  wasInFolder: (content: string) => boolean,
): Promise<string[]> {
  const findings = await inTurn(
    versions.filter(({ kind }) => kind === 'version'),
    async (version) => {
      const { key, versionId, journalId, metadata } = version;
      const content = await contentOf(store, version);
      if (journalId === undefined) return undefined;
      const name = `${JSON.stringify(key)} ${versionId}`;
      if (metadata['holdfast-type'] === 'directory') return undefined;
      if (content !== metadata['holdfast-sha256'])
        return `${name}: its content does not match its metadata`;
      return wasInFolder(content) ? undefined : `${name}: its content was never in the folder`;
    },
  );
  return findings.filter((finding) => finding !== undefined);
}

/** Checks that each acknowledged version still exists with its content, whether the job or another client wrote it. */
export async function judgeAcknowledged(
  store: ObjectStore,
  acknowledged: readonly Acknowledged[],
): Promise<string[]> {
  const findings = await inTurn(acknowledged, async (each) => {
    const name = `${JSON.stringify(each.key)} ${each.versionId}`;
    try {
      const content = await contentOf(store, each);
      return content === each.sha256
        ? undefined
        : `${name}: was acknowledged, but now has other content`;
    } catch (error) {
      return `${name}: was acknowledged, but cannot be read: ${String(error)}`;
    }
  });
  return findings.filter((finding) => finding !== undefined);
}

/**
 * Checks another client's last PUTs in a bucket without versioning. Each must still be the current object, unless the
 * job saved a copy before it overwrote or deleted the object.
 */
export async function judgeSaved(
  store: ObjectStore,
  lastPuts: ReadonlyMap<string, string>,
): Promise<string[]> {
  const there = new Set<string>();
  for await (const key of allKeys(store)) there.add(await contentOf(store, { key }));
  return [...lastPuts]
    .filter(([, content]) => !there.has(content))
    .map(
      ([key, content]) =>
        `${JSON.stringify(key)}: the content ${content} of another client is lost`,
    );
}

async function* allKeys(store: ObjectStore): AsyncGenerator<string> {
  let continuationToken: string | undefined;
  do {
    const page = await store.listObjects({ bucket: BUCKET, ...defined({ continuationToken }) });
    for (const { key } of page.objects) yield key;
    continuationToken = page.nextToken;
  } while (continuationToken !== undefined);
}

async function contentOf(
  store: ObjectStore,
  { key, versionId }: { readonly key: string; readonly versionId?: string },
): Promise<string> {
  const { body } = await store.getObject({ bucket: BUCKET, key, ...defined({ versionId }) });
  return sha256(await collect(body, BODY_LIMIT_BYTES));
}

/**
 * Checks that the conflict log has exactly one entry for each of another client's versions that the job overwrote, and
 * no other entries. `ledger` contains the version ids from the conflict log.
 */
export function judgeLedger(versions: readonly Version[], ledger: readonly string[]): string[] {
  const findings: string[] = [];
  const entries = new Map<string, number>();
  for (const id of ledger) entries.set(id, (entries.get(id) ?? 0) + 1);
  for (const history of byKey(versions).values()) {
    for (const [index, version] of history.entries()) {
      const { key, versionId } = version;
      const name = `${JSON.stringify(key)} ${versionId}`;
      const above = history[index - 1];
      const isCovered = isForeign(version) && above?.kind === 'version' && isOurs(above);
      const count = entries.get(versionId) ?? 0;
      entries.delete(versionId);
      if (count !== (isCovered ? 1 : 0))
        findings.push(
          `${name}: ${isCovered ? '' : 'not '}superseded by the job, with ${count} entries in the conflict log`,
        );
      if (isForeign(version) && above?.kind === 'delete-marker' && isOurs(above))
        findings.push(`${name}: is from another client, but the job deleted it`);
    }
  }
  for (const id of entries.keys())
    findings.push(`${id}: in the conflict log, but the version does not exist`);
  return findings;
}

/** Returns the job's versions that equal the next older version of the same key. The job uploaded them needlessly. */
export function findDuplicates(versions: readonly Version[]): string[] {
  return [...byKey(versions).values()].flatMap((history) =>
    history.flatMap((version, index) => {
      const below = history[index + 1];
      const isSame =
        version.journalId !== undefined &&
        below?.journalId !== undefined &&
        describeHead(version) === describeHead(below);
      return isSame ? [`${JSON.stringify(version.key)} ${version.versionId}`] : [];
    }),
  );
}
