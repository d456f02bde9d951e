/** Implements the control methods for CORS rules and websites of buckets. */

import { defined } from '../../../src/base/defined.ts';
import type { Result } from '../../../src/control/messages.ts';
import type { CorsRule } from '../../../src/object-store/cors.ts';
import type { ObjectReader, ObjectStore } from '../../../src/object-store/object-store.ts';
import { withPublicReading } from '../../../src/object-store/rules/access/public-reading.ts';
import { isStorageError } from '../../../src/object-store/storage-error.ts';
import type { RoutingRule, WebsiteConfiguration } from '../../../src/object-store/website.ts';
import type { StorageGateway } from '../../services/storage-gateway.ts';
import type { Place, TargetHandlers } from './at-target.ts';
import { removeSetting } from './remove-setting.ts';

type BrowserMethod =
  | 'cors.get'
  | 'cors.remove'
  | 'cors.set'
  | 'website.get'
  | 'website.remove'
  | 'website.set';

export interface BrowserHandlerOptions {
  /** The embedded store with the permissions of an anonymous caller. */
  readonly publicStore: ObjectReader;
  readonly storage: Pick<StorageGateway, 'websiteUrl'>;
}

export function browserHandlers(options: BrowserHandlerOptions): TargetHandlers<BrowserMethod> {
  return {
    'cors.get': ({ bucket }, { signal, store }) => store.getCors({ bucket }, { signal }),
    'cors.set': async ({ bucket, rules }, { signal, store }) => {
      await store.putCors(
        { bucket, rules: rules.map((each): CorsRule => defined(each)) },
        { signal },
      );
      return {};
    },
    'cors.remove': ({ bucket }, { signal, store }) =>
      removeSetting({
        absent: 'NoSuchCORSConfiguration',
        read: () => store.getCors({ bucket }, { signal }),
        remove: () => store.deleteCors({ bucket }, { signal }),
      }),
    'website.get': async ({ bucket }, context) => {
      const { store, signal } = context;
      const website = await store.getWebsite({ bucket }, { signal });
      return { ...(await shownOf(options, context, { bucket, website })), website };
    },
    'website.set': async ({ bucket, website: asked, public: isPublic }, context) => {
      const { store, signal } = context;
      const website = websiteOf(asked);
      await store.putWebsite({ bucket, website }, { signal });
      if (isPublic) await openToEveryone(store, bucket, signal);
      return shownOf(options, context, { bucket, website });
    },
    'website.remove': ({ bucket }, { signal, store }) =>
      removeSetting({
        absent: 'NoSuchWebsiteConfiguration',
        read: () => store.getWebsite({ bucket }, { signal }),
        remove: () => store.deleteWebsite({ bucket }, { signal }),
      }),
  };
}

function websiteOf({
  redirectAll,
  routingRules,
  ...rest
}: Result<'website.get'>['website']): WebsiteConfiguration {
  return defined({
    ...rest,
    redirectAll: redirectAll && defined(redirectAll),
    routingRules: routingRules?.map(({ condition, redirect }): RoutingRule =>
      defined({ condition: condition && defined(condition), redirect: defined(redirect) }),
    ),
  });
}

async function openToEveryone(
  store: ObjectStore,
  bucket: string,
  signal: AbortSignal,
): Promise<void> {
  const before = await store.getBucketPolicy({ bucket }, { signal }).catch((error: unknown) => {
    if (isStorageError(error, 'NoSuchBucketPolicy')) return undefined;
    throw error;
  });
  await store.putBucketPolicy({ bucket, policy: withPublicReading(before, bucket) }, { signal });
}

async function shownOf(
  { publicStore, storage }: BrowserHandlerOptions,
  { store, target }: Place,
  { bucket, website }: { readonly bucket: string; readonly website: WebsiteConfiguration },
): Promise<Result<'website.set'>> {
  if (target) return { state: 'unknown' };
  const url = storage.websiteUrl(bucket);
  if (url === undefined) return { state: 'off' };
  const { indexSuffix } = website;
  if (indexSuffix === undefined) return { url, state: 'served' };
  const index = { bucket, key: indexSuffix };
  if (await isThere(publicStore, index)) return { url, state: 'served' };
  return { url, state: (await isThere(store, index)) ? 'not public' : 'no index' };
}

async function isThere(
  store: ObjectReader,
  index: { readonly bucket: string; readonly key: string },
) {
  try {
    await store.headObject(index);
    return true;
  } catch (error) {
    if (isStorageError(error, 'NoSuchKey', 'AccessDenied')) return false;
    throw error;
  }
}
