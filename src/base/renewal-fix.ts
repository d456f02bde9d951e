/** Explains how to let a job renew its locks, for all messages about a key that may not extend them. */

export const RENEWAL_FIX =
  'allow the key s3:PutObjectRetention; if the service is Holdfast, give the user of the key full access ' +
  '(there: holdfast admin users grant USER) or use COMPLIANCE locks';
