/** Passes each method with a `target` parameter to the handlers of the store that the parameter selects. */

import type { TargetConfig } from '../../../src/config/config.ts';
import type { SignedClient } from '../../../src/client/signed-client.ts';
import type { Params, Result } from '../../../src/control/messages.ts';
import type { ObjectStore } from '../../../src/object-store/object-store.ts';
import type {
  CallContext,
  ControlHandlers,
  HandledMethod,
} from '../../control/control-handlers.ts';
import type { Rooms } from '../../services/rooms.ts';
import type { Settings } from '../../settings/settings.ts';

/** A store that a `target` parameter selects. */
export type Place =
  | { readonly store: ObjectStore; readonly target?: undefined }
  /** A remote service, accessed with the same client that jobs use. */
  | { readonly store: SignedClient; readonly target: TargetConfig };

export type FindPlace = (target?: string) => Place;

/**
 * Returns a function that finds a store by target name. The function throws ControlError `NotFound` if the target is
 * not configured, and ConfigError if its credentials cannot be read.
 */
export function placesOf(rooms: Pick<Rooms, 'clientOf' | 'store'>, settings: Settings): FindPlace {
  return (name) => {
    const target = settings.target(name);
    return target ? { store: rooms.clientOf(target), target } : { store: rooms.store };
  };
}

/** The context that a handler receives with a call to a method with a `target` parameter. */
export type TargetContext = CallContext & Place;

/** Handlers of methods with a `target` parameter. They are created once, and receive the store with each call. */
export type TargetHandlers<M extends HandledMethod> = {
  readonly [K in M]: (
    params: Omit<Params<K>, 'target'>,
    context: TargetContext,
  ) => Promise<Result<K>>;
};

type Handle = (params: object, context: TargetContext) => Promise<unknown>;

/**
 * Returns handlers that find the store for each call. They pass all parameters except `target` on to the given
 * handlers.
 */
export function atTarget<M extends HandledMethod>(
  find: FindPlace,
  handlers: TargetHandlers<M>,
): Pick<ControlHandlers, M> {
  const found = Object.entries(handlers as Readonly<Record<string, Handle>>).map(
    ([name, handle]) => [
      name,
      async ({ target, ...params }: { readonly target?: string }, context: CallContext) =>
        handle(params, { ...context, ...find(target) }),
    ],
  );
  return Object.fromEntries(found) as Pick<ControlHandlers, M>;
}
