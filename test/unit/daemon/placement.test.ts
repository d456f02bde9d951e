/**
 * Tests of detecting whether a bucket is on the same disk as the job's folder, on the same machine
 * or elsewhere.
 */

import { mkdirSync } from 'node:fs';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { placementOfEndpoint, placementOfStore } from '../../../daemon/services/placement.ts';
import { temporaryFolder } from '../../helpers/temporary-folder.ts';

test.each([
  ['https://storage.example.com', 'elsewhere'],
  ['http://192.0.2.7:9000', 'elsewhere'],
  ['http://127.0.0.1:9010', 'this machine'],
  ['http://localhost:9010', 'this machine'],
  ['http://s3.localhost:9010', 'this machine'],
  ['http://[::1]:9010', 'this machine'],
])('Holdfast detects the location of the service at %s: %s', (endpoint, placement) => {
  expect(placementOfEndpoint(endpoint)).toBe(placement);
});

test('a service at the address of a local network interface is on the same machine', () => {
  const own = Object.values(networkInterfaces()).flatMap((each) => each ?? []);
  const four = own.filter(({ family }) => family === 'IPv4');
  expect(four.length).toBeGreaterThan(0);
  for (const { address } of four)
    expect(placementOfEndpoint(`http://${address}:9010`)).toBe('this machine');
});

test("a store counts as on the same disk if its folder is missing or on the file system of the job's folder", () => {
  const dir = temporaryFolder();
  const [folder, store] = [join(dir, 'folder'), join(dir, 'store')];
  for (const each of [folder, store]) mkdirSync(each);
  expect(placementOfStore(folder, store)).toBe('same disk');
  expect(placementOfStore(folder, join(dir, 'missing'))).toBe('same disk');
});
