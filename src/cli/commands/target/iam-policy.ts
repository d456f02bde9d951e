/** Builds the smallest IAM policy that allows a job with locks to use a bucket, below a prefix. */

import type { Context } from '../../context.ts';
import { usageError } from '../../output/command-error.ts';

interface PolicyPlace {
  readonly bucket: string;
  /** The key prefix of the job in the bucket. Empty, or ends in `/`. */
  readonly prefix: string;
  readonly region: string;
}

/** An IAM policy as JSON. */
interface IamPolicy {
  readonly Version: '2012-10-17';
  readonly Statement: readonly {
    readonly Sid: string;
    readonly Effect: 'Allow';
    readonly Action: readonly string[];
    readonly Resource: string | readonly string[];
    readonly Condition?: { readonly StringLike: Readonly<Record<string, string>> };
  }[];
}

const BUCKET_ACTIONS = [
  's3:GetBucketObjectLockConfiguration',
  's3:GetBucketVersioning',
  's3:GetLifecycleConfiguration',
  // Without this permission on the whole bucket, a request for an absent object gets the response 403 instead of 404.
  's3:ListBucket',
];

const LIST_ACTIONS = ['s3:ListBucketMultipartUploads', 's3:ListBucketVersions'];

const OBJECT_ACTIONS = [
  's3:AbortMultipartUpload',
  's3:DeleteObject',
  's3:DeleteObjectVersion',
  's3:GetObject',
  's3:GetObjectAcl',
  's3:GetObjectLegalHold',
  's3:GetObjectRetention',
  's3:GetObjectTagging',
  's3:GetObjectVersion',
  's3:GetObjectVersionAcl',
  's3:GetObjectVersionTagging',
  's3:ListMultipartUploadParts',
  's3:PutObject',
  's3:PutObjectLegalHold',
  's3:PutObjectRetention',
  's3:PutObjectTagging',
];

/**
 * The key of an ownership marker relative to its prefix. A job reads the markers of all prefixes that contain its own
 * prefix.
 */
const MARKER = '.holdfast/claim';

/** Returns the policy. The bucket must exist, because the policy does not allow creating it. */
export function iamPolicy({ bucket, prefix, region }: PolicyPlace): IamPolicy {
  const arn = `arn:${partitionOf(region)}:s3:::${bucket}`;
  const below = `${literal(prefix)}*`;
  const markers = foldersAbove(prefix).map((folder) => `${arn}/${literal(folder)}${MARKER}`);
  return {
    Version: '2012-10-17',
    Statement: [
      { Sid: 'Bucket', Effect: 'Allow', Action: BUCKET_ACTIONS, Resource: arn },
      {
        Sid: 'Lists',
        Effect: 'Allow',
        Action: LIST_ACTIONS,
        Resource: arn,
        ...(prefix !== '' && { Condition: { StringLike: { 's3:prefix': below } } }),
      },
      { Sid: 'Objects', Effect: 'Allow', Action: OBJECT_ACTIONS, Resource: `${arn}/${below}` },
      ...(markers.length === 0
        ? []
        : ([
            { Sid: 'Owners', Effect: 'Allow', Action: ['s3:GetObject'], Resource: markers },
          ] as const)),
    ],
  };
}

/**
 * Prints only the policy, so that the output can be redirected to a file. Throws a usage error if `place` has no
 * bucket.
 */
export async function printPolicy(
  { json, out }: Context,
  { bucket, prefix, region }: Omit<PolicyPlace, 'bucket'> & { readonly bucket?: string },
  typed: string,
): Promise<void> {
  if (bucket === undefined)
    throw usageError(
      `cannot print a policy for ${typed}: it names no bucket`,
      'name one: holdfast target test TARGET:BUCKET/PREFIX --policy',
    );
  const policy = iamPolicy({ bucket, prefix, region });
  if (json) await out.json({ policy });
  else await out.lines(JSON.stringify(policy, null, 2));
}

/** Returns the prefixes that contain this prefix, such as `['', 'a/']` for `a/b/`. */
function foldersAbove(prefix: string): readonly string[] {
  const names = prefix.split('/').slice(0, -1);
  return names.map((_, index) =>
    names
      .slice(0, index)
      .map((name) => `${name}/`)
      .join(''),
  );
}

function partitionOf(region: string): string {
  if (region.startsWith('cn-')) return 'aws-cn';
  return region.startsWith('us-gov-') ? 'aws-us-gov' : 'aws';
}

/** Escapes the characters that have a meaning in the patterns of a policy. */
function literal(text: string): string {
  return text.replaceAll(/[*?$]/g, (character) => `\${${character}}`);
}
