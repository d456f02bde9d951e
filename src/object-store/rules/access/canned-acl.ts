/** Defines the canned ACLs and their grants (semantics B.5). */

import type { Grant, Permission } from './acl.ts';

export const CANNED_ACLS = [
  'private',
  'public-read',
  'public-read-write',
  'authenticated-read',
  'bucket-owner-read',
  'bucket-owner-full-control',
] as const;

export type CannedAcl = (typeof CANNED_ACLS)[number];

export interface Owners {
  /** The storage user ID of the owner of the bucket or object. */
  readonly owner: string;
  /** The storage user ID of the bucket's owner. Absent for the ACL of a bucket. */
  readonly bucketOwner?: string | undefined;
}

/** Returns the grants of a canned ACL. Every canned ACL grants FULL_CONTROL to the owner. */
export function cannedGrants(canned: CannedAcl, { owner, bucketOwner }: Owners): readonly Grant[] {
  const own: Grant = { grantee: owner, permission: 'FULL_CONTROL' };
  const others = OTHERS[canned].flatMap(([grantee, permission]): readonly Grant[] => {
    if (grantee !== 'BucketOwner') return [{ grantee, permission }];
    if (bucketOwner === undefined || bucketOwner === owner) return [];
    return [{ grantee: bucketOwner, permission }];
  });
  return [own, ...others];
}

type Other = readonly [
  grantee: 'AllUsers' | 'AuthenticatedUsers' | 'BucketOwner',
  permission: Permission,
];

const OTHERS: Readonly<Record<CannedAcl, readonly Other[]>> = {
  private: [],
  'public-read': [['AllUsers', 'READ']],
  'public-read-write': [
    ['AllUsers', 'READ'],
    ['AllUsers', 'WRITE'],
  ],
  'authenticated-read': [['AuthenticatedUsers', 'READ']],
  'bucket-owner-read': [['BucketOwner', 'READ']],
  'bucket-owner-full-control': [['BucketOwner', 'FULL_CONTROL']],
};
