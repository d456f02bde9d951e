/**
 * Error messages 31 to 45, about remote services and their access keys. `provoked-errors.test.ts`
 * describes the format.
 */

export const SERVICES = `
# 31 a restore from a service that uses the other protocol
$ restore --from $ONLYS3/docs --to ./r
1 holdfast: cannot use $ONLYS3: it supports no protocol of Holdfast (neither AWS4-HMAC-SHA256 nor SVC4-HMAC-SHA256 signatures); check that the endpoint and its port are those of an S3 service
$ restore --from $ONLYS3/docs --to ./r --protocol svc
2 holdfast: cannot use $ONLYS3: it does not accept the signatures of this protocol; remove --protocol (\`protocol\` in config.yaml): Holdfast then detects what the service accepts
# 32 a backup to a service that uses the other protocol
$ up ./docs --to $ONLYS3
1 holdfast: cannot use $ONLYS3: it supports no protocol of Holdfast (neither AWS4-HMAC-SHA256 nor SVC4-HMAC-SHA256 signatures); check that the endpoint and its port are those of an S3 service
$ up ./docs --to $ONLYS3 --protocol svc
2 holdfast: cannot use $ONLYS3: it does not accept the signatures of this protocol; remove --protocol (\`protocol\` in config.yaml): Holdfast then detects what the service accepts
# 33 a service that does not return S3 responses
$ up ./docs --to $ALIKE
1 holdfast: the service did not return a valid S3 response; check that the endpoint and its port are those of an S3 service (ListBuckets: read XML: the root element must be ListAllMyBucketsResult)
$ up ./docs --to $ALIKE --protocol s3 --once --home ./spare
1 holdfast: the service did not return a valid S3 response; check that the endpoint and its port are those of an S3 service (ListBuckets: read XML: the root element must be ListAllMyBucketsResult)
# 34 a service that is not running
$ up ./docs --to http://127.0.0.1:1
1 target 127-0-0-1: saved, but the key and the protocol could not be checked yet: cannot connect to http://127.0.0.1:1: the connection was refused; is the service running there?
holdfast: cannot back up FOLDER/docs: cannot choose a bucket: cannot connect to http://127.0.0.1:1: the connection was refused; is the service running there?
  start the service and retry; or choose a bucket with --bucket NAME: the job starts when the service responds
# 35 a host that does not exist
$ up ./docs --to http://nosuch.invalid
1 holdfast: cannot connect to http://nosuch.invalid: the host cannot be found or reached; check the name and the network
# 36 an https URL for a port that serves http
$ up ./docs --to https://127.0.0.1:$PORT
1 holdfast: cannot connect to https://127.0.0.1:PORT: the service does not use TLS on this port; write http:// in place of https:// (wrong version number)
# 37 an access key that the service does not know
$ HOLDFAST_TARGET_ACCESS_KEY_ID=AKIA up ./docs --to $URL
1 holdfast: cannot use $URL: it does not know the access key AKIA
  check the access key ID, and that it belongs to this service
# 38 a wrong secret
$ HOLDFAST_TARGET_SECRET_ACCESS_KEY=x up ./docs --to $URL
1 holdfast: cannot use $URL: the secret of access key $KEY is wrong
  check the secret access key; the protocol is right, since the service read the signature
# 39 two different names for the bucket
$ up ./docs --to http://127.0.0.1:9000/first --bucket second
2 holdfast: cannot use --bucket with --to http://127.0.0.1:9000/first, which names a bucket
# 40 a destination that is neither a scheme, a host nor a URL
$ init ./docs --to usb --yes --home ./spare
2 holdfast: invalid service "usb"
  write s3://BUCKET, a host such as storage.example.com, or https://HOST
# 41 a target without credentials
$ HOLDFAST_TARGET_ACCESS_KEY_ID= HOLDFAST_TARGET_SECRET_ACCESS_KEY= up ./docs --to $URL
1 holdfast: cannot back up to $URL: the environment has no credentials for it
  set HOLDFAST_TARGET_ACCESS_KEY_ID and HOLDFAST_TARGET_SECRET_ACCESS_KEY, or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or name a file that has them: --credentials FILE
$ HOLDFAST_TARGET_SECRET_ACCESS_KEY= up ./docs --to $URL
1 holdfast: cannot back up to $URL: only one of HOLDFAST_TARGET_ACCESS_KEY_ID and HOLDFAST_TARGET_SECRET_ACCESS_KEY is set
  set HOLDFAST_TARGET_ACCESS_KEY_ID and HOLDFAST_TARGET_SECRET_ACCESS_KEY, or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or name a file that has them: --credentials FILE
# 42 a credentials file that other users may read
$ up ./docs --to $URL --credentials ./open.json
1 holdfast: cannot read credentials FOLDER/open.json: other users may read it; run: chmod 600 'FOLDER/open.json'
# 43 a credentials file without an access key
$ up ./docs --to $URL --credentials ./empty.json
1 holdfast: cannot read credentials FOLDER/empty.json: it has no access key: write JSON, {"accessKeyId": "ID", "secretAccessKey": "SECRET"}, or the output of \`holdfast admin credentials --env\`
# 44 a target that does not exist
$ s3 ls --target moon
1 holdfast: unknown target "moon"
  targets of config.yaml: 127-0-0-1; to add one: holdfast target add NAME SERVICE
# 45 an option for an endpoint, but no endpoint
$ up ./docs --region x
2 holdfast: cannot use --region without --to PLACE
  name the service: --to https://HOST --region …
`;
