/** Tests of the in-memory cache of buckets, which serves requests without a verified signature. */

import Database from 'better-sqlite3';
import { expect, onTestFinished, test } from 'vitest';

import { metadataDamaged } from '../../../src/engine/disk/metadata-damage.ts';
import { BucketCache } from '../../../src/engine/reads/bucket-cache.ts';
import { openTestEngine } from '../../helpers/test-engine.ts';

const CORS = { rules: [{ allowedOrigins: ['*'], allowedMethods: ['GET'] }] } as const;

/**
 * Opens a cache on a store with a bucket that has CORS rules. `statements` lists each statement
 * that SQLite runs.
 */
async function tracedCache() {
  const { dir, engine, store } = await openTestEngine({ passive: true });
  await store.createBucket({ bucket: 'box' });
  await store.putCors({ bucket: 'box', ...CORS });
  await engine.close();
  const statements: string[] = [];
  const database = new Database(`${dir}/store.sqlite`, {
    verbose: (sql) => void statements.push(String(sql)),
  });
  onTestFinished(() => void database.close());
  return { cache: new BucketCache(database), database, statements };
}

test('the store runs no SQL statement for the second lookup of a bucket and its configurations', async () => {
  const { cache, statements } = await tracedCache();
  const look = () => {
    const id = cache.bucketId('box') ?? 0;
    return [cache.bucket('box')?.name, cache.config(id, 'cors'), cache.config(id, 'website')];
  };
  expect(look()).toEqual(['box', CORS, undefined]);
  expect(statements).not.toEqual([]);
  statements.length = 0;
  expect(look()).toEqual(['box', CORS, undefined]);
  expect(statements).toEqual([]);
});

test('the store runs one SQL statement for lookups of ten thousand names without a bucket', async () => {
  const { cache, statements } = await tracedCache();
  for (let n = 0; n < 10_000; n += 1) expect(cache.bucket(`unknown-${n}`)).toBeUndefined();
  expect(statements).toHaveLength(1);
});

test('the store queries only the changed bucket again after one bucket changed', async () => {
  const { cache, database, statements } = await tracedCache();
  expect(cache.bucketId('new')).toBeUndefined();
  database.exec("UPDATE bucket SET name = 'new' WHERE name = 'box'");
  for (const name of ['box', 'new']) cache.forget(name);
  statements.length = 0;
  for (const name of ['box', 'new', 'other']) cache.bucketId(name);
  expect(statements).toHaveLength(2);
  expect(cache.bucketId('new')).toBeDefined();
  expect(cache.bucketId('box')).toBeUndefined();
  expect(statements).toHaveLength(2);
});

test('the store returns no outdated bucket even if more buckets change at once than the cache tracks one by one', async () => {
  const { cache, database } = await tracedCache();
  expect(cache.bucketId('box')).toBeDefined();
  database.exec("UPDATE bucket SET name = 'new' WHERE name = 'box'");
  for (const name of ['box', 'new']) cache.forget(name);
  for (let n = 0; n < 5000; n += 1) cache.forget(`refused-${n}`);
  expect(cache.bucketId('box')).toBeUndefined();
  expect(cache.bucketId('new')).toBeDefined();
});

test('the store queries buckets one by one if a damaged database page makes the list of bucket names unreadable', async () => {
  const { database } = await tracedCache();
  const damage = new Error('malformed', { cause: undefined });
  const prepare = database.prepare.bind(database);
  database.prepare = ((sql: string) => {
    const statement = prepare(sql);
    if (!sql.includes('WHERE'))
      statement.all = () => {
        throw Object.assign(metadataDamaged(), {
          cause: Object.assign(damage, { code: 'SQLITE_CORRUPT' }),
        });
      };
    return statement;
  }) as typeof prepare;
  const cache = new BucketCache(database);
  expect(cache.bucket('box')).toMatchObject({ name: 'box' });
  expect(cache.bucket('unknown')).toBeUndefined();
});
