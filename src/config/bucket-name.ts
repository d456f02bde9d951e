/** Bucket names as the storage rules allow them (a test holds both equal: config may not import them). */

const BUCKET_NAME = /^[a-z0-9]+(?:(?:\.|-+)[a-z0-9]+)*$/;
const IP_ADDRESS = /^\d+\.\d+\.\d+\.\d+$/;

export function isBucketName(name: string): boolean {
  const fits = name.length >= 3 && name.length <= 63;
  return fits && BUCKET_NAME.test(name) && !IP_ADDRESS.test(name);
}
