/**
 * Changes a bucket policy so that everyone can read the bucket, for a website (specification, "Website configuration").
 */

/**
 * The fixed ID of the policy statement that is added. A second call finds this ID and replaces the statement instead of
 * adding a second one.
 */
const SID = 'PublicWebsite';

interface AnyStatement {
  readonly Sid?: unknown;
}

/**
 * Returns the policy with a statement that allows everyone to list the bucket and read its objects. All other
 * statements remain unchanged.
 */
export function withPublicReading(policy: string | undefined, bucket: string): string {
  const { Statement = [], ...rest } = JSON.parse(policy ?? '{}') as {
    readonly Statement?: AnyStatement | readonly AnyStatement[];
  };
  const others = [Statement].flat().filter(({ Sid }) => Sid !== SID);
  const name = `arn:aws:s3:::${bucket}`;
  const reading = {
    Sid: SID,
    Effect: 'Allow',
    Principal: '*',
    Action: ['s3:GetObject', 's3:ListBucket'],
    Resource: [name, `${name}/*`],
  };
  const document = { Version: '2012-10-17', ...rest, Statement: [...others, reading] };
  return `${JSON.stringify(document, undefined, 2)}\n`;
}
