/**
 * In-memory object store for tests of the dashboard. Its buckets have versions, delete markers and
 * locks. A listing page has 1000 rows, ordered by the UTF-8 bytes of the keys.
 */

import { FolderSizes } from '../../../daemon/usage/folder-sizes.ts';
import { ControlError } from '../../../src/control/control-error.ts';
import type { Params, Result } from '../../../src/control/messages.ts';
import type { Answers, SeededDaemon } from './seeded-daemon.ts';
import { seededStatus } from './seeds.ts';
import { NOW } from './seeds.ts';

type Described = Result<'objects.describe'>;
type Place = Params<'objects.get'>;

export interface SeededVersion {
  readonly key: string;
  readonly versionId: string;
  readonly isMarker: boolean;
  readonly at: number;
  readonly body: string;
  retention?: Described['retention'];
  legalHold: boolean;
  tags: { key: string; value: string }[];
  attributes: Described['attributes'];
}

interface SeededBucket {
  readonly versioning: 'Enabled' | 'Suspended' | undefined;
  readonly objectLock: boolean;
  /** Versions of each key, newest first. */
  readonly keys: Map<string, SeededVersion[]>;
}

const PAGE = 1_000;
const DAY = 86_400_000;

export class SeededStore {
  readonly buckets = new Map<string, SeededBucket>();
  daemon: SeededDaemon | undefined;
  #ids = 0;
  #sent = new Map<string, Params<'objects.put'>>();

  addBucket(name: string, versioning: SeededBucket['versioning'], objectLock = false): void {
    this.buckets.set(name, { versioning, objectLock, keys: new Map() });
  }

  put(bucket: string, key: string, body: string, changes: Partial<SeededVersion> = {}): string {
    const { versioning, keys } = this.bucket(bucket);
    this.#ids += 1;
    const versionId = versioning ? `v${String(this.#ids).padStart(4, '0')}lqtJlcpX` : 'null';
    const at = NOW - 30 * DAY + this.#ids * 3_600_000;
    const plain = { key, versionId, isMarker: false, at, body, legalHold: false, tags: [] };
    const version = { ...plain, attributes: {}, ...changes };
    keys.set(key, versioning ? [version, ...(keys.get(key) ?? [])] : [version]);
    return versionId;
  }

  bucket(name: string): SeededBucket {
    const bucket = this.buckets.get(name);
    if (!bucket) throw refused('NoSuchBucket', `bucket ${name} does not exist`);
    return bucket;
  }

  current(bucket: string, key: string): SeededVersion | undefined {
    const latest = this.bucket(bucket).keys.get(key)?.[0];
    return latest?.isMarker ? undefined : latest;
  }

  version({
    bucket,
    key,
    versionId,
  }: {
    bucket: string;
    key: string;
    versionId?: string | undefined;
  }) {
    const all = this.bucket(bucket).keys.get(key) ?? [];
    const found =
      versionId === undefined ? all[0] : all.find((each) => each.versionId === versionId);
    if (!found || found.isMarker) throw refused('NoSuchKey', `find ${key}: there is none`);
    return found;
  }

  answers(): Answers {
    return {
      status: () => ({ ...seededStatus(), jobs: seededStatus().jobs }),
      'targets.list': () => ({ targets: [] }),
      'buckets.list': () => {
        return {
          buckets: [...this.buckets.keys()].map((name) => ({ name, createdAt: NOW - 90 * DAY })),
        };
      },
      'buckets.create': ({ bucket, versioning, objectLock }) => {
        this.addBucket(bucket, versioning ? 'Enabled' : undefined, objectLock);
        return {};
      },
      'buckets.delete': ({ bucket }) => {
        if (this.bucket(bucket).keys.size > 0) {
          throw refused('BucketNotEmpty', `delete bucket ${bucket}: it is not empty`);
        }
        this.buckets.delete(bucket);
        return {};
      },
      'buckets.describe': ({ bucket }) => this.#describeBucket(bucket),
      'versioning.get': ({ bucket }) => {
        const { versioning } = this.bucket(bucket);
        return versioning ? { versioning } : {};
      },
      'objects.list': (params) => this.#listObjects(params),
      'versions.list': (params) => this.#listVersions(params),
      'folders.sizes': (params) => this.#sizes(params),
      'metrics.get': ({ bucket }) => this.#metrics(bucket),
      'objects.describe': (place) => this.#describe(this.version(place), place),
      'objects.locks': (place) => {
        const { versionId, retention, legalHold } = this.version(place);
        return { versionId, legalHold, ...(retention ? { retention } : {}) };
      },
      'versions.locks': ({ bucket, objects }) => ({
        objects: objects.map(({ key, versionId }) => {
          const { retention, legalHold } = this.version({ bucket, key, versionId });
          return { legalHold, ...(retention ? { retention } : {}) };
        }),
      }),
      'objects.tags': (place) => ({ tags: this.version(place).tags }),
      'objects.retag': ({ changes, ...place }) => {
        this.version(place).tags = changes.set;
        return { tags: changes.set };
      },
      'objects.attributes': (place) => this.version(place).attributes,
      'objects.change': ({ changes: { remove: _gone, ...attributes }, ...place }) => {
        this.version(place).attributes = attributes;
        return { sizeBytes: 1, etag: '"e"', rightsKept: true };
      },
      'acl.get': () => ({ owner: 'ada', grants: [{ grantee: 'ada', permission: 'FULL_CONTROL' }] }),
      'acl.set': ({ grants = [] }) => {
        return {
          owner: 'ada',
          grants: grants.map(({ grantee = '', permission }) => ({ grantee, permission })),
        };
      },
      'objects.delete': (params) => this.#delete(params),
      'objects.deleteMany': (params) => this.#deleteMany(params),
      'objects.copy': ({ from, to }) => {
        const { body } = this.version(from);
        const versionId = this.put(to.bucket, to.key, body);
        return { sizeBytes: body.length, etag: '"e"', versionId };
      },
      'retention.set': ({ retention, ...place }) => {
        this.version(place).retention = retention;
        return {};
      },
      'hold.set': ({ legalHold, ...place }) => {
        this.version(place).legalHold = legalHold;
        return {};
      },
      'objects.get': ({ range, ...place }) => this.#get(place, range),
      'objects.put': (params) => {
        if (params.overwrite === false && this.current(params.bucket, params.key)) {
          throw refused('PreconditionFailed', 'put object: it is there already');
        }
        const stream = `put-${this.#sent.size}`;
        this.#sent.set(stream, params);
        return { stream };
      },
      'objects.put.wait': () => ({ etag: '"e"' }),
      'links.create': ({ bucket, key, does, expiresSeconds }) => {
        const url = `http://127.0.0.1:9000/${bucket}/${key}?${does}`;
        return { url, expiresAt: NOW + expiresSeconds * 1_000, local: true };
      },
    };
  }

  /** Stores the bytes of an upload. Tests pass this function as `SeededDaemon.onUpload`. */
  readonly received = (stream: string, bytes: Uint8Array): void => {
    const params = this.#sent.get(stream);
    if (params) this.put(params.bucket, params.key, Buffer.from(bytes).toString());
  };

  #describeBucket(name: string): Result<'buckets.describe'> {
    const { versioning, objectLock, keys } = this.bucket(name);
    const all = [...keys.values()].flat();
    return {
      location: 'local',
      owner: 'ada',
      ...(versioning ? { versioning } : {}),
      ...(objectLock
        ? { objectLock: { defaultRetention: { mode: 'GOVERNANCE' as const, days: 30 } } }
        : {}),
      usage: {
        objects: all.filter(({ isMarker }) => !isMarker).length,
        sizeBytes: all.reduce((sum, { body }) => sum + body.length, 0),
      },
      tags: [],
      grants: [],
      configured: [],
    };
  }

  #metrics(name: string): Result<'metrics.get'> {
    const histories = [...this.bucket(name).keys.values()];
    const all = histories.flat();
    const count = histories.filter(([latest]) => latest && !latest.isMarker).length;
    const versions = all.filter(({ isMarker }) => !isMarker).length;
    const sizeBytes = all.reduce((sum, { body }) => sum + body.length, 0);
    return {
      bucket: name,
      createdAt: NOW,
      monitored: true,
      sizeBytes,
      objects: all.length,
      versions,
      versionBytes: sizeBytes,
      deleteMarkers: all.length - versions,
      parts: 0,
      partBytes: 0,
      heads: { count, isAll: true },
    };
  }

  #describe(version: SeededVersion, { bucket }: { bucket: string }): Described {
    const { key, body, at, versionId, retention, legalHold, tags, attributes } = version;
    const count = this.bucket(bucket).keys.get(key)?.length ?? 0;
    const lock = retention ? { retention, legalHold } : { legalHold };
    const returned = {
      sizeBytes: body.length,
      etag: `"${etagOf(body)}"`,
      lastModifiedAt: at,
      versionId,
    };
    const stated = { attributes, tags, encrypted: false, versions: { count, more: false } };
    return { ...returned, ...stated, ...lock };
  }

  #get(place: Place, range: Params<'objects.get'>['range']): Result<'objects.get'> {
    const { body, at } = this.version(place);
    const bytes = Buffer.from(body).subarray(range?.start ?? 0, (range?.end ?? Infinity) + 1);
    const info = { sizeBytes: Buffer.byteLength(body), etag: '"e"', lastModifiedAt: at };
    return { stream: this.daemon?.offer(bytes) ?? '', info };
  }

  #listObjects({
    bucket,
    prefix = '',
    delimiter,
    maxKeys = PAGE,
    continuationToken,
  }: Params<'objects.list'>): Result<'objects.list'> {
    const present = sorted(this.bucket(bucket).keys.keys()).filter((key) =>
      this.current(bucket, key),
    );
    const names = rolledUp(present, prefix, delimiter);
    const from = continuationToken === undefined ? 0 : Number(continuationToken);
    const page = names.slice(from, from + maxKeys);
    const objects = page
      .filter(({ isPrefix }) => !isPrefix)
      .map(({ name }) => {
        const { body, at } = this.version({ bucket, key: name });
        return { key: name, sizeBytes: body.length, etag: '"e"', lastModifiedAt: at };
      });
    const commonPrefixes = page.filter(({ isPrefix }) => isPrefix).map(({ name }) => name);
    const more = from + maxKeys < names.length;
    return { objects, commonPrefixes, ...(more ? { nextToken: String(from + maxKeys) } : {}) };
  }

  #listVersions({
    bucket,
    prefix = '',
    delimiter,
  }: Params<'versions.list'>): Result<'versions.list'> {
    const { keys } = this.bucket(bucket);
    const names = rolledUp(sorted(keys.keys()), prefix, delimiter);
    const versions = names
      .filter(({ isPrefix }) => !isPrefix)
      .flatMap(({ name }) => keys.get(name) ?? [])
      .map((each) => {
        const { key, versionId, isMarker, at, body } = each;
        return {
          kind: isMarker ? ('delete-marker' as const) : ('version' as const),
          key,
          versionId,
          isLatest: keys.get(key)?.[0] === each,
          lastModifiedAt: at,
          sizeBytes: isMarker ? 0 : body.length,
          etag: isMarker ? '' : `"${etagOf(body)}"`,
        };
      });
    return {
      versions,
      commonPrefixes: names.filter((each) => each.isPrefix).map(({ name }) => name),
    };
  }

  #sizes({ bucket, prefix, count }: Params<'folders.sizes'>): Result<'folders.sizes'> {
    const none = { isCounting: false, listed: 0, moreFolders: 0, isDeepest: false };
    if (count === 'never') return { ...none, folders: [] };
    const sizes = new FolderSizes(NOW);
    for (const version of this.#listVersions({ bucket }).versions) sizes.add(version);
    const folder = sizes.at(prefix);
    const counted = { countedAt: NOW, hasChanged: false, folders: sizes.in(prefix) };
    return { ...none, ...counted, ...(folder && { folder }) };
  }

  #delete({ bucket, key, versionId, bypassGovernance }: Params<'objects.delete'>) {
    const { versioning, keys } = this.bucket(bucket);
    const all = keys.get(key) ?? [];
    if (versionId === undefined) {
      if (!versioning) keys.delete(key);
      const marker = versioning ? this.put(bucket, key, '', { isMarker: true }) : undefined;
      return { deleteMarker: marker !== undefined, ...(marker ? { versionId: marker } : {}) };
    }
    const doomed = all.find((each) => each.versionId === versionId);
    const isLocked = (doomed?.retention?.retainUntil ?? 0) > NOW && bypassGovernance !== true;
    if (doomed?.legalHold || isLocked) throw refused('AccessDenied', 'forbidden by object lock');
    const left = all.filter((each) => each !== doomed);
    if (left.length > 0) keys.set(key, left);
    else keys.delete(key);
    return { versionId, deleteMarker: doomed?.isMarker ?? false };
  }

  #deleteMany({ bucket, objects, bypassGovernance }: Params<'objects.deleteMany'>) {
    const made: { key: string; versionId: string }[] = [];
    const failed: { key: string; code: string; message: string }[] = [];
    for (const { key, versionId } of objects) {
      if (key.includes('refused')) {
        failed.push({ key, code: 'AccessDenied', message: 'no right to do that' });
        continue;
      }
      const returned = this.#delete({ bucket, key, versionId, bypassGovernance });
      if (versionId === undefined && returned.versionId)
        made.push({ key, versionId: returned.versionId });
    }
    return { deleted: objects.length - failed.length, markers: made.length, made, failed };
  }
}

function refused(storageCode: string, message: string): ControlError {
  return new ControlError('Storage', message, { storageCode });
}

function etagOf(body: string): string {
  return Buffer.from(body.slice(0, 8)).toString('hex').padEnd(32, '0');
}

function sorted(keys: Iterable<string>): string[] {
  return [...keys].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
}

/** Returns the keys, and each common prefix once, as a listing with a delimiter does. */
function rolledUp(keys: readonly string[], prefix: string, delimiter: string | undefined) {
  const names = new Map<string, boolean>();
  for (const key of keys) {
    if (!key.startsWith(prefix)) continue;
    const at = delimiter === undefined ? -1 : key.indexOf(delimiter, prefix.length);
    names.set(at < 0 ? key : key.slice(0, at + 1), at >= 0);
  }
  return [...names].map(([name, isPrefix]) => ({ name, isPrefix }));
}

/**
 * Creates the buckets `photos` (versioned), `archive` (with Object Lock) and `scratch`
 * (unversioned).
 */
export function seededStore(): SeededStore {
  const store = new SeededStore();
  store.addBucket('archive', 'Enabled', true);
  store.addBucket('photos', 'Enabled');
  store.addBucket('scratch', undefined);
  store.put('scratch', 'plain.txt', 'plain');
  const folder = '2026/07/';
  for (let count = 1; count <= 4; count += 1) {
    store.put('archive', `${folder}contract.pdf`, `contract, draft ${count}\nnot signed\n`);
  }
  store.put('archive', `${folder}IMG_0001.jpg`, 'x'.repeat(4_100));
  store.put('archive', `${folder}old-index.html`, '<html>', {});
  store.put('archive', `${folder}old-index.html`, '', { isMarker: true });
  store.put('archive', `${folder}pano\nname\u{202e}.tif`, 'II*');
  store.put('archive', `${folder}thumbs/1.jpg`, 'thumb');
  store.put('archive', `${folder}thumbs/2.jpg`, 'thumb');
  const contract = store.version({ bucket: 'archive', key: `${folder}contract.pdf` });
  contract.retention = { mode: 'COMPLIANCE', retainUntil: NOW + 233 * DAY };
  contract.legalHold = true;
  const older = store.bucket('archive').keys.get(`${folder}contract.pdf`)?.[1];
  if (older) older.retention = { mode: 'GOVERNANCE', retainUntil: NOW + 19 * DAY };
  return store;
}
