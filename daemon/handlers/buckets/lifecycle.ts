/** Implements the control methods for lifecycle rules and runs. */

import { defined } from '../../../src/base/defined.ts';
import type { Params, Result } from '../../../src/control/messages.ts';
import type { LifecycleRun } from '../../../src/engine/schema/lifecycle-run.ts';
import type { StoreLifecycle } from '../../../src/engine/lifecycle/lifecycle.ts';
import type { StoreUpkeep } from '../../../src/engine/maintenance/upkeep.ts';
import type { LifecycleRule, NewLifecycleRule } from '../../../src/object-store/lifecycle.ts';
import { readLifecycleDocument } from './read-lifecycle-document.ts';
import type { TargetHandlers } from './at-target.ts';

type LifecycleMethod =
  | 'lifecycle.get'
  | 'lifecycle.import'
  | 'lifecycle.preview'
  | 'lifecycle.run'
  | 'lifecycle.runs'
  | 'lifecycle.set';

interface LifecycleHandlerOptions {
  readonly lifecycle: StoreLifecycle;
  readonly upkeep: Pick<StoreUpkeep, 'health'>;
}

export function lifecycleHandlers({
  lifecycle,
  upkeep,
}: LifecycleHandlerOptions): TargetHandlers<LifecycleMethod> {
  const clockAhead = () => ({ clockAheadMs: upkeep.health().clockAheadMs });
  return {
    'lifecycle.get': async ({ bucket }, { signal, store }) => ({
      rules: shownRules(await store.getLifecycle({ bucket }, { signal })),
    }),
    'lifecycle.set': async ({ bucket, rules }, { signal, store }) => {
      if (rules.length === 0) await store.deleteLifecycle({ bucket }, { signal });
      else await store.putLifecycle({ bucket, rules: rules.map(ruleOf) }, { signal });
      return {};
    },
    'lifecycle.import': async ({ bucket, document }, { signal, store }) => {
      await store.putLifecycle({ bucket, rules: readLifecycleDocument(document) }, { signal });
      return { rules: shownRules(await store.getLifecycle({ bucket }, { signal })) };
    },
    'lifecycle.run': async () => ({ run: runResult(await lifecycle.run()), ...clockAhead() }),
    'lifecycle.runs': async ({ limit }) => ({ runs: lifecycle.runs(limit).map(runResult) }),
    'lifecycle.preview': async (request, { signal }) => {
      const { changes, ...page } = await lifecycle.preview(defined(request), signal);
      return { ...page, changes: [...changes], ...clockAhead() };
    },
  };
}

export function runResult(run: LifecycleRun): Result<'lifecycle.run'>['run'] {
  const { position: _position, finishedAt, ...result } = run;
  return { ...result, ...defined({ finishedAt: finishedAt ?? undefined }) };
}

function shownRules(rules: readonly LifecycleRule[]): Result<'lifecycle.get'>['rules'] {
  return rules;
}

function ruleOf({
  filter,
  noncurrentExpiration,
  ...rule
}: Params<'lifecycle.set'>['rules'][number]): NewLifecycleRule {
  return defined({
    ...rule,
    filter: defined(filter),
    noncurrentExpiration: noncurrentExpiration && defined(noncurrentExpiration),
  });
}
