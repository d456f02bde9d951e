/** Methods that take a `target`: each is answered by the handlers of the store that it names. */

import type { TargetConfig } from '../../src/config/config.ts';
import type { SignedClient } from '../../src/client/signed-client.ts';
import type { ObjectStore } from '../../src/object-store/object-store.ts';
import type { CallContext, ControlHandlers, HandledMethod } from '../control-server.ts';
import type { Rooms } from '../rooms.ts';
import type { Settings } from '../settings.ts';

/** A store by the name that users have for it. */
export type Place =
  | { readonly store: ObjectStore; readonly target?: undefined }
  /** A remote service, by the client that its jobs use too. */
  | { readonly store: SignedClient; readonly target: TargetConfig };

export type FindPlace = (target?: string) => Place;

/** Throws ControlError `NotFound` for a target that is not configured, ConfigError for one without credentials. */
export function placesOf(rooms: Pick<Rooms, 'clientOf' | 'store'>, settings: Settings): FindPlace {
  return (name) => {
    const target = settings.target(name);
    return target ? { store: rooms.clientOf(target), target } : { store: rooms.store };
  };
}

type Handlers<M extends HandledMethod> = Pick<ControlHandlers, M>;
type Handle = (params: object, context: CallContext) => Promise<unknown>;

/** `make` gives the handlers of one store; it is called for each request. */
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
