/** The screens and states of the dashboard that the tour draws. Each row is one screen. */

import type { DaemonEvent } from '../../src/control/messages.ts';
import { bytesText } from '../../src/text/amounts.ts';
import type { Answers, SeededDaemon } from '../helpers/tui/seeded-daemon.ts';
import type { TestScreen } from '../helpers/tui/screen.ts';
import { NOW } from '../helpers/tui/seeds.ts';
import { EMPTY, QUIET, REFUSED } from './tour-world.ts';

export interface TourScreen {
  /** Name of the SVG files, without the size and the theme. */
  readonly name: string;
  /** Answers of the fake daemon that this screen replaces. */
  readonly world?: Answers;
  readonly steps: readonly Step[];
  /** Text that the screen must show in every size. Otherwise the tour fails. */
  readonly shows: string | RegExp;
}

/**
 * A step: keys by name (`3 enter`), text that is typed at once, events of the daemon, or another
 * action.
 */
type Step =
  | string
  | { readonly type: string }
  | { readonly emit: readonly DaemonEvent['event'][] }
  | { readonly happens: (screen: TestScreen, daemon: SeededDaemon) => unknown };

const type = (text: string): Step => ({ type: text });
const objects: readonly Step[] = [':', type('bucket archive/2026/07/\r')];
const versions: readonly Step[] = [':', type('bucket archive/2026/07/contract.pdf\r'), 'v'];
const scripts: readonly Step[] = [':', type('bucket home/scripts/\r')];
const restore: readonly Step[] = [':', type('restore photos\r')];
const settings: readonly Step[] = ['2', { happens: (at) => at.tickUntil('1 of ') }, 'e'];

/**
 * Waits for the thread that highlights previews. The wait is shorter than the time after which the
 * dashboard ends the thread.
 */
async function highlighted(screen: TestScreen): Promise<void> {
  for (let turn = 0; turn < 400; turn += 1) await screen.tick(4);
}

const activity: Step = {
  emit: Array.from({ length: 40 }, (_, index) => {
    const what = { type: 'activity', job: 'photos', action: 'put' } as const;
    const path = `2026/07/IMG_${1_000 + index}.jpg`;
    if (index % 10 === 3) return { ...what, level: 'error', path, message: 'put: 503 SlowDown' };
    if (index % 10 === 6) return { ...what, level: 'warn', path, message: 'retried twice' };
    return { ...what, level: 'info', path, message: bytesText(3_000_000 + index * 21_117) };
  }),
};

const transfers: Step = {
  emit: [
    {
      type: 'job.transfers',
      job: 'photos',
      count: 3,
      progress: {
        share: 0.62,
        remainingFiles: 812,
        remainingBytes: 434_000_000,
        bytesPerSecond: 31_000_000,
        operationsPerSecond: 240,
        etaMs: 14_000,
      },
      transfers: [
        {
          path: '2026/07/video.mp4',
          kind: 'put',
          sizeBytes: 4_000_000_000,
          sentBytes: 1_000_000_000,
          startedAt: NOW - 40_000,
        },
        {
          path: '2026/07/pano.tif',
          kind: 'put',
          sizeBytes: 90_000_000,
          sentBytes: 81_000_000,
          startedAt: NOW - 4_000,
        },
        { path: 'a\nb.jpg', kind: 'get', sentBytes: 20, startedAt: NOW },
      ],
    },
  ],
};

const stopDaemon: Step = { happens: (_, daemon) => daemon.stop() };

export const SCREENS: readonly TourScreen[] = [
  { name: 'dashboard', steps: [activity, transfers], shows: 'mirroring' },
  { name: 'dashboard-quiet', world: QUIET, steps: [], shows: 'watching' },
  { name: 'dashboard-no-job', world: EMPTY, steps: [], shows: 'Welcome to Holdfast' },
  { name: 'dashboard-week', steps: [activity, transfers, '+ + +'], shows: 'mirroring' },
  { name: 'charts', steps: ['tab c'], shows: 'throughput  now' },
  { name: 'dashboard-daemon-down', steps: [activity, stopDaemon], shows: 'down 0' },
  { name: 'diagnostics', steps: [stopDaemon, 'd'], shows: 'Holdfast is not running' },

  { name: 'buckets', steps: ['2'], shows: 'archive' },
  { name: 'buckets-none', world: EMPTY, steps: ['2'], shows: 'no bucket' },
  { name: 'bucket-new', steps: ['2', 'n', type('letters')], shows: 'New bucket' },
  { name: 'bucket-new-invalid', steps: ['2', 'n', type('Bad_Name'), 'ctrl-s'], shows: '3 to 63' },
  { name: 'bucket-delete', steps: ['2 /', type('scratch\r'), 'D'], shows: 'type scratch' },
  {
    name: 'bucket-by-name',
    steps: ['2', { happens: (at) => at.tickUntil('506 B') }, 'b'],
    shows: 'bucket (or target:bucket)',
  },
  { name: 'usage', steps: [':', type('bucket archive/2026/\r'), 'z'], shows: '07/' },
  { name: 'usage-keep-rules', steps: [':', type('bucket home/\r'), 'z K'], shows: 'smart' },
  { name: 'bucket-settings', steps: settings, shows: 'team=core' },
  { name: 'bucket-default-lock', steps: [...settings, 'j enter'], shows: 'GOVERNANCE' },
  { name: 'lifecycle', steps: [...settings, 'j j j j enter'], shows: 'logs/' },
  { name: 'lifecycle-new', steps: [...settings, 'j j j j enter n'], shows: 'New lifecycle rule' },
  { name: 'bucket-policy', steps: [...settings, 'j j j enter'], shows: 'policy' },
  { name: 'bucket-tags', steps: [...settings, 'G k k enter'], shows: 'Tags' },
  { name: 'lifecycle-preview', steps: [...settings, 'j j j j enter w'], shows: 'logs/a' },

  { name: 'objects', steps: objects, shows: 'contract.pdf' },
  { name: 'objects-refused', world: REFUSED, steps: ['2 enter'], shows: 'access denied' },
  { name: 'objects-empty', steps: [':', type('bucket eu:logs\r')], shows: 'no objects; press U' },
  { name: 'objects-filter-none', steps: [...objects, '/', type('zzz\r')], shows: '/zzz' },
  { name: 'objects-sort', steps: [...objects, 'o'], shows: 'by size' },
  { name: 'objects-by-size', steps: [...objects, 'o 2'], shows: 'by size' },
  { name: 'objects-go-to', steps: [...objects, 'g /'], shows: 'Go to in archive' },
  { name: 'objects-marked', steps: [...objects, '*'], shows: '5 marked' },
  { name: 'objects-lock', steps: [...objects, '* L'], shows: 'Lock 6 objects' },
  {
    name: 'objects-lock-plan',
    steps: [...objects, '* L', type('30d'), 'ctrl-s'],
    shows: 'Lock 6 objects?',
  },
  { name: 'objects-tags', steps: [...objects, 'space space t'], shows: 'Tags' },
  { name: 'objects-save', steps: [...objects, '* s'], shows: 'Save' },
  { name: 'objects-restore', steps: [...objects, 'D j j j R'], shows: 'Restore ' },
  { name: 'object-discard', steps: [...objects, 't', type('a=b'), 'esc'], shows: 'Discard' },
  { name: 'object-link-form', steps: [...objects, 'u'], shows: 'valid for' },
  {
    name: 'object-delete-typed',
    steps: [':', type('bucket scratch/plain.txt\r'), 'd'],
    shows: 'permanently',
  },
  { name: 'objects-deleted', steps: [...objects, 'D space j'], shows: '(deleted)' },
  { name: 'objects-filter', steps: [...objects, '/', type('con')], shows: '/con' },
  { name: 'buckets-sort', steps: ['2 o'], shows: 'Sort' },
  { name: 'objects-copy', steps: [...objects, 'y'], shows: 'Copy' },
  { name: 'object', steps: [...objects, 'enter'], shows: 'etag' },
  { name: 'object-locked', steps: [...objects, 'j j enter'], shows: 'COMPLIANCE until' },
  { name: 'object-deleted', steps: [...objects, 'd'], shows: 'deleted IMG_0001' },
  { name: 'objects-delete', steps: [...objects, '* d'], shows: 'Delete ' },
  { name: 'object-lock', steps: [...objects, 'L'], shows: 'Lock ' },
  {
    name: 'object-lock-typed',
    steps: [...objects, 'L', type('2027-07-12'), 'tab right ctrl-s'],
    shows: 'type IMG_0001.jpg',
  },
  { name: 'object-hold', steps: [...objects, 'H'], shows: 'on legal hold' },
  { name: 'object-upload', steps: [...objects, 'U'], shows: 'Upload' },
  { name: 'object-tags', steps: [...objects, 't'], shows: 'Tags' },
  { name: 'object-metadata', steps: [...objects, 'm'], shows: 'Metadata' },
  { name: 'object-acl', steps: [...objects, 'a'], shows: 'Permissions of other users' },
  { name: 'object-link', steps: [...objects, 'u ctrl-s'], shows: 'Download link' },
  { name: 'object-save', steps: [...objects, 's'], shows: 'Save' },
  {
    name: 'preview',
    steps: [':', type('bucket archive/2026/07/README.md\r'), 'p'],
    shows: '# Archive',
  },
  {
    name: 'preview-bytes',
    steps: [':', type('bucket archive/2026/07/README.md\r'), 'p x'],
    shows: '00000000',
  },
  { name: 'preview-picture', steps: [...objects, 'p'], shows: 'JPEG 4032x3024' },
  { name: 'preview-text', steps: [...scripts, 'p', { happens: highlighted }], shows: 'copyDay' },
  {
    name: 'preview-code',
    steps: [
      ':',
      type('bucket home/scripts/backup.ts\r'),
      { happens: (at) => at.tickUntil('backup.ts') },
      { happens: highlighted },
    ],
    shows: 'backup.ts',
  },
  { name: 'versions', steps: versions, shows: 'C 2027-07-12' },
  { name: 'versions-refused', steps: [...versions, 'd'], shows: 'legal hold' },
  { name: 'versions-governance', steps: [...versions, 'j'], shows: 'GOVERNANCE until' },
  { name: 'versions-deleted', steps: [...objects, 'D j j j v'], shows: 'delete marker' },
  { name: 'versions-delete', steps: [...versions, '* d'], shows: 'Delete ' },
  { name: 'version-bypass', steps: [...versions, 'j d'], shows: 'Bypass GOVERNANCE' },
  { name: 'version-restore', steps: [...versions, 'j R'], shows: 'restored version' },
  { name: 'version-lock', steps: [...versions, 'j L'], shows: 'bypass GOVERNANCE' },
  { name: 'version-delete', steps: [...versions, 'G d'], shows: 'Delete this version' },
  { name: 'versions-diff', steps: [...versions, 'space j space ='], shows: 'draft' },

  { name: 'jobs', steps: [transfers, '3'], shows: 'mirroring' },
  { name: 'jobs-none', world: EMPTY, steps: ['3'], shows: 'no jobs; press n' },
  { name: 'job-new', steps: ['3', 'n', type('~/Music')], shows: 'New job' },
  { name: 'target-new', steps: ['3', 'N'], shows: 'New target' },
  { name: 'job-why', steps: ['3', 'j j j w'], shows: 'media' },
  { name: 'job-moving', steps: [transfers, '3 enter'], shows: 'video.mp4' },
  { name: 'job-queue', steps: [transfers, '3 enter tab'], shows: 'permission denied' },
  { name: 'job-locks', steps: ['3 enter tab'], shows: 'old.mkv' },
  { name: 'job-rounds', steps: ['3 enter tab tab'], shows: 'full, buck' },
  { name: 'job-about', steps: ['3 enter tab tab tab'], shows: 'protection' },
  { name: 'job-edit', steps: ['3 e'], shows: 'exclude' },
  { name: 'job-edit-diff', steps: ['3 e', 'down down down right ctrl-s'], shows: 'conflict: ' },
  { name: 'job-new-diff', steps: ['3 n', type('~/Music'), 'ctrl-s'], shows: '- name: music' },
  { name: 'job-why-path', steps: ['3 W', type('2026/07/pano.tif\r')], shows: 'pano.tif' },
  { name: 'job-verify', steps: ['3 v'], shows: 'read back' },
  { name: 'job-findings', steps: ['3 v', 'enter'], shows: 'is not in the bucket' },
  { name: 'job-drill', steps: ['3 d'], shows: 'restore test' },
  { name: 'job-prune', steps: ['3 K'], shows: 'Remove old versions' },
  { name: 'job-remove', steps: ['3 D'], shows: 'type photos' },
  { name: 'review', steps: ['3 j j j a'], shows: 'films/0000.mkv' },
  { name: 'review-approve', steps: ['3 j j j a a'], shows: '1,204 deletes' },
  { name: 'review-reject', steps: ['3 j j j a z'], shows: 'Reject' },

  { name: 'conflicts', steps: ['4'], shows: 'report.md' },
  { name: 'conflicts-none', world: EMPTY, steps: ['4'], shows: 'no conflicts' },
  { name: 'conflicts-resolve', steps: ['4', '* K'], shows: 'Keep both' },
  { name: 'conflict-diff', steps: ['4 j', '='], shows: 'Difference' },
  { name: 'conflict-policy', steps: ['4', 'P'], shows: 'Conflicts of' },
  { name: 'conflict-resolve', steps: ['4', 'B'], shows: 'Keep the bucket' },

  { name: 'clusters', steps: ['5'], shows: 'prod' },
  { name: 'clusters-none', world: EMPTY, steps: ['5'], shows: 'no cluster' },
  { name: 'cluster-new', steps: ['5 n'], shows: 'New cluster' },
  { name: 'cluster-tags', steps: ['5 t'], shows: 'tags (KEY=VALUE' },
  { name: 'cluster-delete', steps: ['5 D'], shows: 'type prod' },
  { name: 'nodegroups', steps: ['5 enter'], shows: 'workers' },
  { name: 'nodegroup', steps: ['5 enter enter'], shows: 'ConfigUpdate' },
  { name: 'nodegroup-new', steps: ['5 enter n'], shows: 'New node group' },
  { name: 'nodegroup-version', steps: ['5 enter V'], shows: 'version' },
  { name: 'nodegroup-tags', steps: ['5 enter t'], shows: 'tags (KEY=VALUE' },
  { name: 'nodegroup-edit', steps: ['5 enter e'], shows: 'Configuration of workers' },
  { name: 'nodegroup-delete', steps: ['5 enter D'], shows: 'type workers' },

  { name: 'metrics', steps: ['6'], shows: '620 GB' },
  { name: 'metrics-week', steps: ['6 +'], shows: '1 week' },
  { name: 'metrics-none', world: EMPTY, steps: ['6'], shows: 'no bucket' },
  { name: 'alarm-edit', steps: ['6 tab e'], shows: 'Alarm too-full' },
  { name: 'alarm-test', steps: ['6 tab T'], shows: 'actions' },
  { name: 'alarm-delete', steps: ['6 tab D'], shows: 'Delete' },
  { name: 'alarm', steps: ['6 tab enter'], shows: 'History' },
  { name: 'alarm-new', steps: ['6 n'], shows: 'New alarm' },

  { name: 'locks', steps: ['7'], shows: 'GOVERNANCE' },
  { name: 'locks-none', world: EMPTY, steps: ['7'], shows: /nothing is locked|no lock/i },
  { name: 'locks-buckets', steps: ['7 tab'], shows: 'DEFAULT LOCK' },
  { name: 'locks-why', steps: ['7 w', type('2026/07/pano.tif\r')], shows: 'pano.tif' },
  { name: 'locks-release', steps: ['7 L', type('2026/07/\r')], shows: 'Release /home/ada' },

  { name: 'activity', steps: [activity, '8'], shows: 'SlowDown' },
  { name: 'activity-errors', steps: [activity, '8 L L'], shows: 'SlowDown' },
  { name: 'activity-entry', steps: [activity, '8', '[ enter'], shows: 'Esc close' },
  { name: 'activity-export', steps: [activity, '8 X'], shows: 'export to' },
  { name: 'activity-none', world: EMPTY, steps: ['8'], shows: 'no activity yet' },

  { name: 'restore', steps: [...restore, '['], shows: 'notes.md' },
  { name: 'restore-now', steps: restore, shows: 'as it is now' },
  { name: 'restore-earliest', steps: [...restore, '[ [ [ [ [ ['], shows: 'photos' },
  { name: 'restore-short-strip', steps: [...restore, '[ + +'], shows: 'photos' },
  { name: 'restore-time', steps: [...restore, 't'], shows: 'time' },
  { name: 'restore-marked', steps: [...restore, '[ *'], shows: 'marked' },
  { name: 'restore-runs-none', steps: [...restore, 'W'], shows: 'no restore' },
  { name: 'restore-form', steps: [...restore, '[ F'], shows: 'Restore' },
  { name: 'restore-plan', steps: [...restore, '[ F right ctrl-s'], shows: 'would restore to' },
  { name: 'restore-run', steps: [...restore, '[ F right ctrl-s', 'R y'], shows: 'restoring' },
  {
    name: 'restore-runs',
    steps: [...restore, '[ F right ctrl-s', 'R y', ':', type('restores\r')],
    shows: 'running',
  },
  { name: 'restore-compare', steps: [...restore, 'D', type('2026-11-20\r')], shows: 'plan.txt' },
  {
    name: 'restore-diff',
    steps: [...restore, '[ [ /', type('notes\r'), 'enter'],
    shows: '+ three',
  },
  { name: 'restore-undo', steps: [...restore, '[ /', type('notes\r'), 'U'], shows: 'Undo ' },

  { name: 'help', steps: ['?'], shows: 'Help: dashboard' },
  { name: 'help-objects', steps: [...objects, '?'], shows: 'Help' },
  { name: 'help-filter', steps: ['?', '/', type('lock')], shows: 'lock' },
  { name: 'palette-themes', steps: [':', type('theme ')], shows: 'high-contrast' },
  { name: 'palette-keys', steps: [':', type('bucket archive/2026/07/')], shows: 'contract.pdf' },
  { name: 'palette-none', steps: [':', type('zzzz')], shows: 'zzzz' },
  { name: 'mouse', steps: [':', type('mouse on\r')], shows: 'mouse' },
  { name: 'jobs-daemon-down', steps: ['3', stopDaemon], shows: 'was mirroring' },
  { name: 'palette', steps: [':'], shows: ':' },
  { name: 'palette-typed', steps: [':', type('job')], shows: 'job' },
];
