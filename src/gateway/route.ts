/** Finds the operation of a request by its method, target and subresource. Refuses unknown combinations. */

import { StorageError } from '../object-store/storage-error.ts';
import { OPERATIONS, type OperationName } from '../protocol/operations.ts';
import type { Target } from '../protocol/paths.ts';
import type { WireQuery } from '../protocol/wire.ts';

/**
 * Subresources of S3 that Holdfast does not support, or supports only with some methods. They must not be ignored. For
 * example, a PUT of `?renameObject` that is executed as PutObject would overwrite the object (semantics B.1).
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

/** Query parameters of S3 that refine a request. `list-type` and `uploadId` also select an operation. */
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

/**
 * The query parameters that each write may have, in addition to `x-id` and the parameters that select the operation.
 * Any other parameter belongs to a different operation.
 */
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

/**
 * Matches the query parameters of a signature. Headers that a signer moved to the query (`X-Amz-Object-Lock-Mode`) have
 * already been removed from the query.
 */
const SIGNATURE_PARAMETER =
  /^X-(?:Amz|Svc)-(?:Algorithm|Content-Sha256|Credential|Date|Expires|Signature|SignedHeaders|User-Agent)$/;
const SIGNATURE_V2_PARAMETERS = new Set(['AWSAccessKeyId', 'Expires', 'Signature']);
const OVERRIDE = 'response-';

const METHODS = new Set(['DELETE', 'GET', 'HEAD', 'POST', 'PUT']);

const NAMES = Object.keys(OPERATIONS) as OperationName[];

/**
 * Every subresource that selects an operation. With a different method or target, a subresource is refused instead of
 * ignored.
 */
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
  /** Whether the request names a source to copy. */
  readonly copies: boolean;
  /** Whether the request body is a form (`multipart/form-data`). */
  readonly isForm?: boolean;
}

/** All operations. `PostObject` has its parameters in the request body, so the operation table has no codec for it. */
export type RoutedOperation = OperationName | 'PostObject';

/**
 * Returns the operation of a request. Throws NotImplemented for an unsupported subresource or an unknown parameter, and
 * InvalidArgument for parameters that exclude each other or do not belong to the operation. Throws PreconditionFailed
 * for a POST without a form, and MethodNotAllowed for any other unknown combination of method, target and subresource.
 */
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

/** Returns the error for a POST without a form. Its message is that of S3, because some clients search for it. */
function noForm(): StorageError {
  return new StorageError(
    'PreconditionFailed',
    'At least one of the pre-conditions you specified did not hold',
    { details: { Condition: 'Bucket POST must be of the enclosure-type multipart/form-data' } },
  );
}

/**
 * Throws NotImplemented for an unknown parameter, because it could be a newer subresource of S3. A read ignores an
 * unknown parameter that has a value, because subresources have no value.
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

/**
 * Throws InvalidArgument for a parameter that this write cannot have. For example, a PUT with `partNumber` but without
 * an upload ID must not replace the object with the part.
 */
function refuseMisplaced(operation: OperationName, query: WireQuery): void {
  const allowed = WRITE_PARAMETERS[operation];
  for (const [name, value] of query) {
    if (!PARAMETERS.has(name) || SELECTORS.has(name) || name === 'x-id') continue;
    if (allowed?.includes(name)) continue;
    throw new StorageError('InvalidArgument', `route request: ?${name} is not valid here`, {
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
        `route request: ?${selector} and ?${name} cannot be combined`,
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
