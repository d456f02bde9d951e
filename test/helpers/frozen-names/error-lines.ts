/**
 * Lists the codes of errors and problems. Codes that exist only as a type are repeated here as the
 * keys of a record. The type check rejects a record with a missing or an additional code.
 */

import type { alertsOf } from '../../../daemon/alerts/judge.ts';
import { CLUSTER_ERRORS } from '../../../src/cluster/cluster-error.ts';
import type { CommandErrorCode } from '../../../src/cli/output/command-error.ts';
import { CONTROL_ERROR_CODES } from '../../../src/control/control-error.ts';
import type { OpenStoreErrorCode } from '../../../src/engine/disk/open-error.ts';
import type { IdentityErrorCode } from '../../../src/identity/identity-error.ts';
import type { MirrorErrorCode } from '../../../src/mirror/model/mirror-error.ts';
import type { Problem } from '../../../src/mirror/model/types.ts';
import type { MonitoringErrorCode } from '../../../src/monitoring/monitoring-error.ts';
import type { TransportErrorCode } from '../../../src/object-store/transport-error.ts';
import { ERROR_TABLE } from '../../../src/protocol/error-table.ts';

type AlertKind = ReturnType<typeof alertsOf>[number]['kind'];
type All<Code extends string> = Readonly<Record<Code, true>>;

const COMMAND: All<CommandErrorCode> = {
  Usage: true,
  FolderNotUsable: true,
  FileNotUsable: true,
  NoCredentials: true,
  KeyEnds: true,
  TimedOut: true,
  NotFound: true,
  NotStopped: true,
  NotStarted: true,
  NotImplemented: true,
  NotInstalled: true,
  NoRights: true,
  Conflict: true,
  ServiceManager: true,
  Declined: true,
};
const TRANSPORT: All<TransportErrorCode> = {
  ConnectionRefused: true,
  ConnectionLost: true,
  HostNotFound: true,
  Timeout: true,
  TlsFailed: true,
  BadResponse: true,
};
const MIRROR: All<MirrorErrorCode> = {
  StateUnusable: true,
  RootMissing: true,
  Claimed: true,
  OtherKey: true,
  Unguarded: true,
  RootProtected: true,
  HeldChanged: true,
  HeldForReview: true,
  ClockDiffers: true,
  KeepHalted: true,
  NoKeep: true,
  NotMirrored: true,
  StillMirrored: true,
  FolderMissing: true,
  NothingToRestore: true,
  NoRoom: true,
  TargetFailed: true,
  LinkInTheWay: true,
  NotSaved: true,
  TooManyAcknowledged: true,
  NoVersions: true,
  NoSuchVersion: true,
  ContentDiffers: true,
};
const PROBLEM: All<Problem['code']> = {
  unreadable: true,
  unlistable: true,
  busy: true,
  inconsistent: true,
  'invalid-name': true,
  'name-collision': true,
  'key-too-long': true,
  'unsupported-type': true,
  'reserved-name': true,
  'pattern-limit': true,
  'unsupported-action': true,
  'not-locked': true,
  damaged: true,
  undated: true,
  refused: true,
  failed: true,
};
const ALERT: All<AlertKind> = {
  stopped: true,
  held: true,
  lag: true,
  freshness: true,
  locks: true,
  damaged: true,
  unproven: true,
};
const IDENTITY: All<IdentityErrorCode> = { NotFound: true, Conflict: true, BadRequest: true };
const MONITORING: All<MonitoringErrorCode> = {
  NotFound: true,
  Conflict: true,
  BadRequest: true,
  Config: true,
};
const OPEN_STORE: All<OpenStoreErrorCode> = {
  StoreInUse: true,
  NewerStore: true,
  OlderStore: true,
  NotAStore: true,
  ExchangedMetadata: true,
  DamagedMetadata: true,
  DiskFull: true,
  ReadOnlyDisk: true,
};

export function errorLines(): string[] {
  const storage = Object.entries(ERROR_TABLE).map(([code, { status }]) => `${code} ${status}`);
  const clusters = Object.entries(CLUSTER_ERRORS).map(([code, status]) => `${code} ${status}`);
  return [
    ...section('storage, with the status of HTTP', storage),
    ...section('clusters, with the status of HTTP', clusters),
    ...section('control', CONTROL_ERROR_CODES),
    ...section('command', Object.keys(COMMAND)),
    ...section('transport', Object.keys(TRANSPORT)),
    ...section('mirror', Object.keys(MIRROR)),
    ...section('problem of a job', Object.keys(PROBLEM)),
    ...section('alert of a job', Object.keys(ALERT)),
    ...section('identity', Object.keys(IDENTITY)),
    ...section('monitoring', Object.keys(MONITORING)),
    ...section('opening a store', Object.keys(OPEN_STORE)),
  ];
}

function section(title: string, codes: readonly string[]): string[] {
  return ['', `${title}:`, ...codes.map((code) => `  ${code}`).toSorted()];
}
