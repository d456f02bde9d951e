/**
 * Runs an engine in a child process that dies at a fail point: while it creates the reserve file,
 * or during a delete that uses the reserve.
 */

import { spawn } from 'node:child_process';
import { once } from 'node:events';

import { systemClock } from '../../src/base/clock.ts';
import { silentLogger } from '../../src/base/logger.ts';
import { openEngine } from '../../src/engine/engine.ts';
import type { Crash } from '../../src/engine/disk/faults.ts';
import type { UserPrincipal } from '../../src/base/principal.ts';
import { internalCaller } from '../../src/object-store/caller.ts';
import type { ObjectRef } from '../../src/object-store/object-store.ts';
import { builtProgram } from './built-program.ts';

/**
 * The same user as in test-engine.ts. This file cannot import test-engine.ts, because only Vitest
 * can load it.
 */
const USER: UserPrincipal = {
  kind: 'user',
  project: 'project',
  user: 'user',
  customer: 'customer',
  fullAccess: true,
};

export interface ReserveCrash {
  readonly dir: string;
  readonly point: Crash['point'];
  /** Objects that the process deletes one after the other. */
  readonly deletes: readonly ObjectRef[];
}

async function dieAt({ dir, point, deletes }: ReserveCrash): Promise<void> {
  const engine = await openEngine({
    dir,
    clock: systemClock,
    logger: silentLogger,
    region: 'us-east-1',
    faults: { crash: { point, pass: 1 } },
  });
  const store = engine.as(internalCaller(USER, 0));
  for (const each of deletes) await store.deleteObject(each);
}

/** Runs the plan in a child process. Returns the signal that ended the process, or null. */
export async function crashAt(plan: ReserveCrash): Promise<NodeJS.Signals | null> {
  const child = spawn(process.execPath, [builtProgram('reserve-crash'), JSON.stringify(plan)], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const [, signal] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null];
  return signal;
}

if (import.meta.main) await dieAt(JSON.parse(process.argv[2] ?? '') as ReserveCrash);
