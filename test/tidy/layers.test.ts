import { dirname } from 'node:path/posix';

import { describe, expect, it } from 'vitest';

import { fileCircles, LAYERS, layerViolations } from './layers.ts';
import { sourceFiles } from './source-files.ts';

const planted = (path: string, text: string) => layerViolations([{ path, text }]);

describe('the layers of the architecture', () => {
  it('every source file imports only what its layer allows', () => {
    const files = sourceFiles('src', 'daemon', 'tui');
    expect(files.length).toBeGreaterThan(50);
    expect(layerViolations(files)).toEqual([]);
  });

  it('every layer documents the reason for its rules', () => {
    for (const layer of Object.values(LAYERS)) expect(layer.reason).not.toBe('');
  });

  it('every folder of the dashboard is a layer that imports only layers listed before it', () => {
    const names = Object.keys(LAYERS);
    const folders = new Set(sourceFiles('tui').map(({ path }) => dirname(path)));
    expect([...folders].filter((folder) => !names.includes(folder))).toEqual([]);
    const upwards = names.flatMap((name, index) => {
      const ours = name.startsWith('tui/') ? (LAYERS[name]?.ours ?? []) : [];
      return ours
        .filter((each) => names.slice(index).includes(each))
        .map((each) => `${name} → ${each}`);
    });
    expect(upwards).toEqual([]);
  });

  it.each([
    ['src/base/x.ts', `import { readFileSync } from 'node:fs';`],
    ['src/object-store/rules/x.ts', `import { open } from 'node:fs/promises';`],
    ['src/object-store/x.ts', `import type { Dialect } from '../protocol/dialect.ts';`],
    ['src/protocol/x.ts', `import { createServer } from 'node:http';`],
    ['src/client/x.ts', `import { openEngine } from '../engine/engine.ts';`],
    ['src/identity/x.ts', `import { StorageError } from '../object-store/storage-error.ts';`],
    ['src/engine/x.ts', `import { createServer } from 'node:http';`],
    ['src/engine/x.ts', `import { ERRORS } from '../protocol/error-table.ts';`],
    ['src/gateway/x.ts', `import { openEngine } from '../engine/engine.ts';`],
    ['src/gateway/x.ts', `import { readFileSync } from 'node:fs';`],
    ['src/gateway/x.ts', `import { open } from '../identity/sqlite-identity.ts';`],
    ['src/mirror/x.ts', `import { Pool } from 'undici';`],
    ['src/mirror/x.ts', `const client = await import('../client/signed-client.ts');`],
    ['src/control/x.ts', `import { loadConfig } from '../config/load.ts';`],
    ['src/cli/x.ts', `import { openMirror } from '../mirror/mirror.ts';`],
    [
      'src/cli/commands/daemon/status.ts',
      `const { startDaemon } = await import('../../../../daemon/main.ts');`,
    ],
    ['src/cli/commands/daemon/up.ts', `import { startDaemon } from '../../../../daemon/main.ts';`],
    ['src/mirror/plan/x.ts', `import { readFileSync } from 'node:fs';`],
    ['src/mirror/plan/x.ts', `import type { StateFile } from '../state/state-file.ts';`],
    ['src/mirror/plan/x.ts', `import Database from 'better-sqlite3';`],
    ['src/mirror/plan/x.ts', `import type { Clock } from '../../base/clock.ts';`],
    ['src/mirror/transfer/x.ts', `import type { Agenda } from '../rounds/agenda.ts';`],
    ['src/retention/x.ts', `import { fullRound } from '../mirror/rounds/full-round.ts';`],
    ['daemon/control/x.ts', `import type { Jobs } from '../jobs/jobs.ts';`],
    ['daemon/handlers/jobs/x.ts', `import { compose } from '../../compose/compose.ts';`],
    ['tui/data/x.ts', `import type { Ui } from '../ui/ui.ts';`],
    ['tui/widgets/x.ts', `import type { Ui } from '../ui/ui.ts';`],
    ['tui/input/x.ts', `import { PHRASES } from '../app/phrases.ts';`],
    ['tui/acts/x.ts', `import { RunScreen } from '../screens/restore/run-screen.ts';`],
    [
      'tui/screens/restore/x.ts',
      `import { VersionsScreen } from '../versions/versions-screen.ts';`,
    ],
    ['tui/screens/jobs/x.ts', `import { Controller } from '../../app/controller.ts';`],
    ['tui/x.ts', `import { openEngine } from '../src/engine/engine.ts';`],
    ['src/base/x.ts', `export * from 'left-pad';`],
    ['src/elsewhere/x.ts', ''],
  ])('an import in %s that breaks the layers is reported: %s', (path, text) => {
    expect(planted(path, text)).toHaveLength(1);
  });

  it('the command line may import the start module of the daemon dynamically', () => {
    const text = `const { startDaemon } = await import('../../../../daemon/main.ts');`;
    expect(planted('src/cli/commands/daemon/up.ts', text)).toEqual([]);
  });
});

describe('circular imports', () => {
  it('the files in daemon, tui, src/config, src/engine, src/mirror, src/retention, src/restore and src/verification have no circular imports', () => {
    const files = sourceFiles(
      'daemon',
      'tui',
      'src/config',
      'src/engine',
      'src/mirror',
      'src/retention',
      'src/restore',
      'src/verification',
    );
    expect(fileCircles(files)).toEqual([]);
  });

  it('a circular import is reported even if one of the imports is a type import', () => {
    const files = [
      { path: 'src/a/x.ts', text: `import { y } from './y.ts';` },
      { path: 'src/a/y.ts', text: `import type { X } from '../a/x.ts';` },
    ];
    expect(fileCircles(files)).toEqual(['src/a/x.ts → src/a/y.ts → src/a/x.ts']);
  });
});

describe('the composition root of the daemon', () => {
  const CONSTRUCTORS =
    /\b(openCluster(Client|Engine|Gateway)|openEngine|openGateway|openSignedClient|openMirror|openSqliteIdentity)\(/;
  const constructing = (files: ReturnType<typeof sourceFiles>) =>
    files.filter((file) => CONSTRUCTORS.test(file.text)).map((file) => file.path);

  it('in the daemon, only the composition root constructs the engine, gateways, clients and mirrors', () => {
    const files = constructing(sourceFiles('daemon'));
    expect(files.filter((path) => !path.startsWith('daemon/compose/'))).toEqual([]);
    expect(files).toContain('daemon/compose/compose-store.ts');
  });

  it('a constructor call outside the composition root is reported', () => {
    expect(constructing([{ path: 'daemon/x.ts', text: 'await openEngine({ dir })' }])).toEqual([
      'daemon/x.ts',
    ]);
  });
});
