/** Tests of the file of the cluster database: its mode and its format version. */

import { statSync } from 'node:fs';
import { join } from 'node:path';

import Database from 'better-sqlite3';
import { expect, it } from 'vitest';

import { openClusterFile } from '../../../src/cluster/engine/cluster-file.ts';
import { temporaryFolder } from '../../helpers/temporary-folder.ts';

it('the file of the cluster database is private, and a file of a later version is refused and left unchanged', () => {
  const path = join(temporaryFolder('hf-clusters'), 'clusters.sqlite');
  openClusterFile(path).close();
  expect(statSync(path).mode & 0o777).toBe(0o600);
  const later = new Database(path);
  later.pragma('user_version = 99');
  later.close();
  expect(() => openClusterFile(path)).toThrow('format 99, and this Holdfast reads');
  const after = new Database(path, { readonly: true });
  expect(after.pragma('user_version', { simple: true })).toBe(99);
  after.close();
});
