/**
 * Defines the schema of `clusters` in `config.yaml`: the port and step durations of the local cluster service, and the
 * remote services.
 */

import { z } from 'zod';

import { credentialsMembers } from './credentials-source.ts';
import {
  loopbackSchema,
  nameSchema,
  pathSchema,
  portSchema,
  protocolSchema,
  regionSchema,
} from './schema-words.ts';

/** The longest duration of a simulated step: one day. A longer step is considered a mistake. */
const MAX_STEP_SECONDS = 86_400;

const seconds = (usual: number) =>
  z
    .number()
    .min(0, 'must be at least 0')
    .max(MAX_STEP_SECONDS, `must be at most ${MAX_STEP_SECONDS}`)
    .default(usual);

/** The service name in the credential scope of a signature: `…/SERVICE/aws4_request`. */
const serviceCodeSchema = z
  .string()
  .regex(/^[a-z][a-z0-9-]{0,31}$/, 'must be up to 32 lower-case letters, digits and hyphens')
  .default('eks');

const durationsShape = z.strictObject({
  createCluster: seconds(10),
  deleteCluster: seconds(5),
  createNodegroup: seconds(10),
  deleteNodegroup: seconds(5),
  batch: seconds(3),
});

const remoteShape = z.strictObject({
  name: nameSchema.refine(
    (name) => name !== 'local',
    'must not be local, which is the service of this machine',
  ),
  url: z.string().refine(isServiceUrl, 'must be http://HOST[:PORT][/PATH] or https://…'),
  region: regionSchema.default('us-east-1'),
  protocol: protocolSchema.default('svc'),
  serviceCode: serviceCodeSchema,
  ...credentialsMembers,
  caFile: pathSchema.optional(),
  proxy: z.string().min(1, 'must not be empty').optional(),
});

const MAX_REMOTE = 100;

export const clustersShape = z.strictObject({
  host: loopbackSchema.default('127.0.0.1'),
  /** The port of the local service. If absent, the service opens no port, and only Holdfast itself can use it. */
  port: portSchema.optional(),
  serviceCode: serviceCodeSchema,
  seconds: durationsShape.prefault({}),
  services: z
    .array(remoteShape)
    .max(MAX_REMOTE, `must have at most ${MAX_REMOTE} items`)
    .default([]),
});

function isServiceUrl(text: string): boolean {
  const url = URL.parse(text);
  if (!url || !/^https?:$/.test(url.protocol)) return false;
  return url.username + url.password + url.search + url.hash === '';
}
