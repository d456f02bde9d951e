/** Requests without an access key: for public objects and for websites, and CORS preflights. */

import assert from 'node:assert/strict';

import type { Lane } from './lane.ts';
import { curlLine } from './links.ts';

/** Returns the body of the response to an unsigned request. */
export async function unsigned(lane: Lane, bucket: string, path = ''): Promise<string> {
  const url = `${lane.service.endpoint}/${bucket}/${path}`;
  return (await lane.run('curl', curlLine(lane, url))).toString();
}

/** Returns the status and the text of a page of the bucket's website, after redirects. */
export async function visit(
  lane: Lane,
  bucket: string,
  path: string,
): Promise<readonly [status: number, text: string]> {
  const { websites } = lane.service;
  assert(websites !== undefined, 'there is a daemon that serves websites');
  const url = `http://${bucket}.localhost:${new URL(websites).port}/${path}`;
  const options = ['--location', '--write-out', '\n%{http_code}'];
  const said = (await lane.run('curl', curlLine(lane, ...options, url))).toString();
  const end = said.lastIndexOf('\n');
  return [Number(said.slice(end + 1)), said.slice(0, end)];
}

/**
 * Sends the CORS preflight request that a browser sends for a page of this origin. Returns the
 * status of the response.
 */
export async function preflight(lane: Lane, bucket: string, origin: string): Promise<number> {
  const headers = [`Origin: ${origin}`, 'Access-Control-Request-Method: GET'];
  const asked = ['--request', 'OPTIONS', ...headers.flatMap((each) => ['--header', each])];
  const shown = ['--output', '/dev/null', '--write-out', '%{http_code}'];
  const url = `${lane.service.endpoint}/${bucket}/key`;
  return Number(await lane.run('curl', curlLine(lane, ...asked, ...shown, url)));
}
