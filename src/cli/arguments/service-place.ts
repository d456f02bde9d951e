/**
 * Parses the service and destination of a new target: `s3://BUCKET/PREFIX` for AWS, `b2:BUCKET/PREFIX`, a host name, or
 * a URL. A host name or URL may also contain a bucket and a prefix.
 */

import { defined } from '../../base/defined.ts';
import { ownMember } from '../../base/own-member.ts';
import { readProfileRegion } from '../../config/profile.ts';
import { usageError } from '../output/command-error.ts';

export interface ServicePlace {
  readonly endpoint: string;
  readonly region: string;
  /** Where the region comes from, as text for the user, such as `from AWS_REGION`. */
  readonly regionFrom: string;
  readonly bucket?: string;
  /** The key prefix at the service. Empty, or ends in `/`. */
  readonly prefix: string;
}

/** The possible sources of the region. The first source that has a region is used. */
interface RegionSources {
  readonly option?: string | undefined;
  readonly profile?: string | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
}

type Region = Pick<ServicePlace, 'region' | 'regionFrom'>;

export const DEFAULT_REGION: Region = {
  region: 'us-east-1',
  regionFrom: 'the default; another one: --region',
};

/** The services that a scheme selects, by scheme. */
const SERVICES: Readonly<
  Record<
    string,
    { readonly endpoint: (region: string) => string; readonly fallback: Region | undefined }
  >
> = {
  s3: {
    endpoint: (region) =>
      `https://s3.${region}.amazonaws.com${region.startsWith('cn-') ? '.cn' : ''}`,
    fallback: DEFAULT_REGION,
  },
  b2: {
    endpoint: (region) => `https://s3.${region}.backblazeb2.com`,
    fallback: undefined,
  },
};

/**
 * Returns the service and destination that an option or argument specifies. Reads the region of the profile. Throws a
 * usage error if the text does not specify a service, and `ConfigError` if the profile does not exist.
 */
export function servicePlaceOf(
  text: string,
  { region, profile }: { readonly region?: string; readonly profile?: string },
  env: RegionSources['env'],
): ServicePlace {
  const ofProfile = profile === undefined ? undefined : readProfileRegion({ profile }, env);
  return parseServicePlace(text, { option: region, profile: ofProfile, env });
}

/** Parses a service and destination. Throws a usage error if the text does not specify a service. */
export function parseServicePlace(text: string, sources: RegionSources): ServicePlace {
  const [, scheme = '', rest = ''] = /^([a-z][a-z0-9]*):(?!\d)(?:\/\/)?(.*)$/s.exec(text) ?? [];
  if (scheme === 'http' || scheme === 'https') return placeOfUrl(text, sources);
  if (scheme === '') return placeOfUrl(urlOfHost(text), sources, text);
  const service = ownMember(SERVICES, scheme);
  if (service === undefined)
    throw invalid(text, `the endpoint of ${scheme}: is not known; write https://HOST/BUCKET`);
  const region = givenRegion(sources) ?? regionInEnvironment(sources, scheme) ?? service.fallback;
  if (region === undefined) throw invalid(text, 'name the region of the bucket: --region NAME');
  const { bucket, prefix } = destinationOf(rest);
  if (bucket === undefined) throw invalid(text, `name the bucket: ${scheme}://BUCKET`);
  const endpoint =
    (scheme === 's3' ? endpointInEnvironment(sources) : undefined) ??
    service.endpoint(region.region);
  return { endpoint, ...region, bucket, prefix };
}

/** Returns the endpoint that the environment sets for S3, as for the AWS CLI. */
function endpointInEnvironment(sources: RegionSources): string | undefined {
  const name = ['AWS_ENDPOINT_URL_S3', 'AWS_ENDPOINT_URL'].find((each) => sources.env[each]);
  const url = name && sources.env[name];
  if (!url) return undefined;
  const { endpoint, bucket } = placeOfUrl(url, sources, `${name}=${url}`);
  if (bucket !== undefined)
    throw invalid(`${name}=${url}`, 'write https://HOST[:PORT], without a path');
  return endpoint;
}

function placeOfUrl(text: string, sources: RegionSources, written = text): ServicePlace {
  const url = URL.parse(text);
  // The bucket and the prefix are taken literally, as in `restore --from`.
  const [isUrl, path = ''] = /^https?:\/\/[^/]+(?:\/(.*))?$/s.exec(text) ?? [];
  if (!url || isUrl === undefined || url.search + url.hash + url.username + url.password !== '')
    throw invalid(written, 'write https://HOST[:PORT][/BUCKET[/PREFIX]], without a key or a query');
  const region = givenRegion(sources) ?? regionInHost(url.hostname) ?? DEFAULT_REGION;
  return { endpoint: url.origin, ...region, ...destinationOf(path) };
}

/**
 * Returns the URL of a host name without a scheme. It is http for a service on this machine, because such a service
 * rarely has a certificate, and https otherwise.
 */
function urlOfHost(text: string): string {
  const [, host = ''] = /^([\w.-]+|\[[\da-f:]+\])(?::\d{1,5})?(?:\/|$)/i.exec(text) ?? [];
  const isLocal = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(host);
  if (!isLocal && !/\w\.\w/.test(host))
    throw invalid(text, 'write s3://BUCKET, a host such as storage.example.com, or https://HOST');
  return `${isLocal ? 'http' : 'https'}://${text}`;
}

/** Parses `BUCKET[/PREFIX]`. The text may be empty. */
export function destinationOf(text: string): Pick<ServicePlace, 'bucket' | 'prefix'> {
  const [bucket = '', ...folders] = text.split('/');
  const prefix = folders.filter((each, index) => each !== '' || index < folders.length - 1);
  return {
    ...defined({ bucket: bucket || undefined }),
    prefix: prefix.length === 0 ? '' : `${prefix.join('/')}/`,
  };
}

function givenRegion({ option, profile }: RegionSources): Region | undefined {
  if (option !== undefined) return { region: option, regionFrom: 'from --region' };
  return profile === undefined ? undefined : { region: profile, regionFrom: 'from the profile' };
}

/**
 * Returns the region from AWS environment variables, but only for AWS. The variables do not apply to other services.
 */
function regionInEnvironment({ env }: RegionSources, scheme: string): Region | undefined {
  const name = ['AWS_REGION', 'AWS_DEFAULT_REGION'].find((each) => env[each]);
  const region = name && env[name];
  return region && scheme === 's3' ? { region, regionFrom: `from ${name}` } : undefined;
}

/** Returns the region in a host name such as `s3.eu-central-1.amazonaws.com`. */
function regionInHost(host: string): Region | undefined {
  const [, region] = /^s3[.-]([a-z]+(?:-[a-z]+)*-\d+)\./.exec(host) ?? [];
  return region === undefined ? undefined : { region, regionFrom: 'from the host' };
}

function invalid(text: string, hint: string) {
  return usageError(`invalid service "${text}"`, hint);
}
