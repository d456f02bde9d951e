/** Passes each method with a `target` parameter to the handlers of the store that the parameter names. */

import type { TargetConfig } from '../../src/config/config.ts';
import type { SignedClient } from '../../src/client/signed-client.ts';
import type { ObjectStore } from '../../src/object-store/object-store.ts';
import type { CallContext, ControlHandlers, HandledMethod } from '../control-server.ts';
import type { Rooms } from '../rooms.ts';
import type { Settings } from '../settings.ts';

/** A store that a `target` parameter selects. */
export type Place =
  | { readonly store: ObjectStore; readonly target?: undefined }
  /** A remote service, accessed with the client that jobs use, too. */
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

type Handlers<M extends HandledMethod> = Pick<ControlHandlers, M>;
type Handle = (params: object, context: CallContext) => Promise<unknown>;

/**
 * Returns handlers that select the store and pass on the other parameters. `make` creates the handlers of one store,
 * and is called for each request.
 */
export function atTarget<M extends HandledMethod>(
  find: FindPlace,
  make: (place: Place) => Handlers<M>,
): Handlers<M> {
  const names = Object.keys(make(find())) as M[];
  const handlers = names.map((name): [M, Handle] => [
    name,
    async ({ target, ...params }: { readonly target?: string }, context) => {
      const handle = make(find(target))[name] as Handle;
      return handle(params, context);
    },
  ]);
  return Object.fromEntries(handlers) as Handlers<M>;
}
