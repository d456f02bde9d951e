/** Finds the operation of a request by method, target and subresource. An unknown combination is refused. */

import { StorageError } from '../object-store/storage-error.ts';
import { OPERATIONS, type OperationName } from '../protocol/operations.ts';
import type { Target } from '../protocol/paths.ts';
import type { WireQuery } from '../protocol/wire.ts';

/**
 * Subresources of the protocol that nothing here serves, or not with every method. They must never be ignored:
 * a put of `?acl` that fell through would overwrite the object (semantics B.1).
 */
const UNSUPPORTED = new Set([
  'accelerate',
  'analytics',
  'append',
  'encryption',
  'intelligent-tiering',
  'inventory',
  'logging',
  'metadataConfiguration',
  'metadataInventoryTable',
  'metadataJournalTable',
  'metadataTable',
  'metrics',
  'notification',
  'ownershipControls',
  'renameObject',
  'replication',
  'requestPayment',
  'restore',
  'select',
  'session',
  'torrent',
]);

/** Parameters of the protocol that qualify a request and never select one. */
const PARAMETERS = new Set([
  'bucket-region',
  'continuation-token',
  'delimiter',
  'encoding-type',
  'fetch-owner',
  'key-marker',
  'list-type',
  'marker',
  'max-buckets',
  'max-keys',
  'max-parts',
  'max-uploads',
  'part-number-marker',
  'partNumber',
  'prefix',
  'start-after',
  'upload-id-marker',
  'uploadId',
  'version-id-marker',
  'versionId',
  'x-id',
]);

/** The only ones that a write may carry; all others belong to another operation than the one that would be done. */
const WRITE_PARAMETERS: Partial<Record<OperationName, readonly string[]>> = {
  DeleteObject: ['versionId'],
  DeleteObjectTagging: ['versionId'],
  PutObjectAcl: ['versionId'],
  PutObjectLegalHold: ['versionId'],
  PutObjectRetention: ['versionId'],
  PutObjectTagging: ['versionId'],
  UploadPart: ['partNumber'],
  UploadPartCopy: ['partNumber'],
};

/** Headers that a signer moved into the query (`X-Amz-Object-Lock-Mode`) are none of these: they are headers by now. */
const SIGNATURE_PARAMETER =
  /^X-(?:Amz|Svc)-(?:Algorithm|Content-Sha256|Credential|Date|Expires|Signature|SignedHeaders|User-Agent)$/;
const SIGNATURE_V2_PARAMETERS = new Set(['AWSAccessKeyId', 'Expires', 'Signature']);
const OVERRIDE = 'response-';

const METHODS = new Set(['DELETE', 'GET', 'HEAD', 'POST', 'PUT']);

const NAMES = Object.keys(OPERATIONS) as OperationName[];

/** Every subresource that selects an operation somewhere: elsewhere it is refused, not ignored. */
const SELECTORS = new Set(NAMES.flatMap((name) => OPERATIONS[name].subresource ?? []));

const ROUTES = new Map(
  NAMES.map((name) => {
    const { method, target, subresource, copies } = OPERATIONS[name];
    return [routeKey(copies ? 'COPY' : method, target, subresource ?? ''), name] as const;
  }),
);

export interface RoutedBy {
  readonly method: string;
  readonly target: Target;
  readonly query: WireQuery;
  /** Whether the request names a source to copy from. */
  readonly copies: boolean;
  /** Whether its body is a form, as browsers send it. */
  readonly isForm?: boolean;
}

/** All operations. `PostObject` has its parameters in the body, so it has no codec in the operation table. */
export type RoutedOperation = OperationName | 'PostObject';

/** Throws NotImplemented for what the protocol knows and we do not, MethodNotAllowed for what makes no sense. */
export function route({
  method,
  target,
  query,
  copies,
  isForm = false,
}: RoutedBy): RoutedOperation {
  const place = placeOf(target);
  if (!METHODS.has(method)) throw notAllowed(method, place, undefined);
  refuseUnknown(method, query);
  const subresource = selectorOf(query);
  const isCopy = copies && method === 'PUT' && place === 'object';
  const name = ROUTES.get(routeKey(isCopy ? 'COPY' : method, place, subresource ?? ''));
  if (name !== undefined) {
    if (!isRead(method)) refuseMisplaced(name, query);
    return name;
  }
  if (subresource !== undefined && UNSUPPORTED.has(subresource)) {
    throw notImplemented(`?${subresource}`, { ResourceType: subresource.toUpperCase() });
  }
  if (place !== 'service' && subresource === undefined && method === 'POST') {
    if (!isForm) throw noForm();
    if (place === 'bucket') return 'PostObject';
  }
  throw notAllowed(method, place, subresource);
}

function notAllowed(method: string, place: Place, subresource: string | undefined): StorageError {
  const allowed = [...METHODS].filter((each) =>
    ROUTES.has(routeKey(each, place, subresource ?? '')),
  );
  return new StorageError(
    'MethodNotAllowed',
    `route request: ${method} is not allowed on this resource`,
    {
      details: {
        Method: method,
        ResourceType: (subresource ?? place).toUpperCase(),
        Allow: allowed.join(', '),
      },
    },
  );
}

/** In the words of the protocol, which tools look for. */
function noForm(): StorageError {
  return new StorageError(
    'PreconditionFailed',
    'At least one of the pre-conditions you specified did not hold',
    { details: { Condition: 'Bucket POST must be of the enclosure-type multipart/form-data' } },
  );
}

/**
 * Refuses unknown parameters, which can be newer subresources: always for a write, and for a read if they have no value,
 * as subresources. Other unknown parameters of a read are ignored.
 */
function refuseUnknown(method: string, query: WireQuery): void {
  const reads = isRead(method);
  for (const [name, value] of query) {
    if (SELECTORS.has(name) || UNSUPPORTED.has(name) || PARAMETERS.has(name)) continue;
    if (SIGNATURE_PARAMETER.test(name) || SIGNATURE_V2_PARAMETERS.has(name)) continue;
    if (name.startsWith(OVERRIDE)) continue;
    if (reads && value !== '' && value !== 'null') continue;
    throw notImplemented(`?${name}`, { ArgumentName: name });
  }
}

/** A put with `partNumber` alone is a part whose upload got lost: stored as the object, it would replace it. */
function refuseMisplaced(operation: OperationName, query: WireQuery): void {
  const allowed = WRITE_PARAMETERS[operation];
  for (const [name, value] of query) {
    if (!PARAMETERS.has(name) || SELECTORS.has(name) || name === 'x-id') continue;
    if (allowed?.includes(name)) continue;
    throw new StorageError('InvalidArgument', `route request: ?${name} means nothing here`, {
      details: { ArgumentName: name, ArgumentValue: value },
    });
  }
}

function isRead(method: string): boolean {
  return method === 'GET' || method === 'HEAD';
}

function selectorOf(query: WireQuery): string | undefined {
  let selector: string | undefined;
  for (const [name] of query) {
    if (!SELECTORS.has(name) && !UNSUPPORTED.has(name)) continue;
    if (selector !== undefined && selector !== name) {
      throw new StorageError(
        'InvalidArgument',
        `route request: ?${selector} and ?${name} exclude each other`,
        {
          details: { ArgumentName: name, ArgumentValue: '' },
        },
      );
    }
    selector = name;
  }
  return selector;
}

type Place = 'bucket' | 'object' | 'service';

function placeOf(target: Target): Place {
  if (target.key !== undefined) return 'object';
  return target.bucket === undefined ? 'service' : 'bucket';
}

function routeKey(method: string, place: string, selector: string): string {
  return `${method} ${place} ${selector}`;
}

function notImplemented(what: string, details: Readonly<Record<string, string>>): StorageError {
  return new StorageError('NotImplemented', `route request: ${what} is not implemented`, {
    details,
  });
}
