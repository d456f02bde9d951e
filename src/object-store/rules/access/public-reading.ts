/** A bucket policy that lets everyone read, as a website needs it (specification, "Website configuration"). */

/** By its name it is found again, so that it is not there twice. */
const SID = 'PublicWebsite';

interface AnyStatement {
  readonly Sid?: unknown;
}

/** The policy that was put, or none, with one statement more; the others stay as they are. */
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
