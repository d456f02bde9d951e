/** Adds a statement to a bucket policy that allows everyone to read, for a website (specification, "Website configuration"). */

/** Identifies the statement, so that it is replaced and not added twice. */
const SID = 'PublicWebsite';

interface AnyStatement {
  readonly Sid?: unknown;
}

/** Returns the policy with the statement added. All other statements are unchanged. */
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
