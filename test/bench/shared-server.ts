/**
 * Runs the services of a daemon that several users share: a store with its gateway, a job that backs up a folder, and a
 * cluster gateway.
 */

import { join } from 'node:path';

import { openClusterEngine } from '../../src/cluster/engine/cluster-engine.ts';
import { openClusterGateway } from '../../src/cluster/gateway/cluster-gateway.ts';
import { openMirror } from '../../src/mirror/open-mirror.ts';
import { answerBench } from './answering.ts';
import { DIALECTS, IDENTITY, openBenchService, SHARED } from './bench-service.ts';
import { MIRRORED } from './names.ts';

const [, , dir = '', root = ''] = process.argv;
const service = await openBenchService(dir);
await service.store.createBucket({ bucket: MIRRORED });
const mirror = await openMirror({
  job: {
    id: MIRRORED,
    name: MIRRORED,
    root,
    bucket: MIRRORED,
    prefix: '',
    exclude: [],
    conflict: 'keep-both',
    drift: 'report',
    rescanMinutes: 60,
    unguarded: false,
    conflictWindowDays: 30,
  },
  store: service.store,
  stateDir: join(dir, 'mirror-state'),
  protectedFolders: [],
  hostId: 'bench',
  onChange: () => undefined,
  onActivity: () => undefined,
  ...SHARED,
});
mirror.start();
await mirror.settled();
const second = { createClusterMs: 1000, deleteClusterMs: 1000, batchMs: 1000 };
const clusters = openClusterEngine({
  path: join(dir, 'clusters.sqlite'),
  durations: { ...second, createNodegroupMs: 1000, deleteNodegroupMs: 1000 },
  ...SHARED,
});
const clusterGateway = await openClusterGateway({
  service: (caller) => clusters.as(caller),
  identity: IDENTITY,
  dialects: {
    svc: { ...DIALECTS.svc, service: 'eks' },
    amz: { ...DIALECTS.amz, service: 'eks' },
  },
  host: '127.0.0.1',
  port: 0,
  ...SHARED,
});
answerBench([service.port, clusterGateway.port]);
// The process exits without closing its services, because they may be busy with a hostile input for minutes.
process.on('SIGTERM', () => process.exit(0));
