/** Tests of the cluster database file: its mode and its format version. */

import { statSync } from 'node:fs';
import { join } from 'node:path';

import Database from 'better-sqlite3';
import { expect, it } from 'vitest';

import { openClusterFile } from '../../../src/cluster/engine/cluster-file.ts';
import { temporaryFolder } from '../../helpers/temporary-folder.ts';

it('Holdfast creates a private cluster database, and refuses a database that a later version wrote without changing the file', () => {
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
