/** The form for a new target. The secret key is sent only to the daemon, which stores it in a separate file. */

import { resolve } from 'node:path';

import { defined } from '../../src/base/defined.ts';
import type { targetShape } from '../../src/config/schema.ts';
import type { Params, Result } from '../../src/control/messages.ts';
import { completedPath } from './complete-path.ts';
import type { Ui } from '../ui/ui.ts';
import { required, schemaProblem } from '../widgets/field-checks.ts';
import { FormOverlay } from '../widgets/form.ts';
import type { Field, FormValues } from '../widgets/form.ts';
import type { Question } from '../commands/command.ts';
import { fullPath, shortPath } from '../text/home-path.ts';
import { diffLines, problemText } from './config-diff.ts';

interface Then {
  /** Called with the target's name after the target was added. */
  readonly added?: (name: string) => void;
  /** Called if the user closes the form without adding a target. */
  readonly left?: () => void;
}

export async function openNewTarget(ui: Ui, { added, left }: Then = {}): Promise<void> {
  // The schema is loaded here, because the first screen does not need it.
  const { targetShape } = await import('../../src/config/schema.ts');
  ui.openOverlay(
    new FormOverlay(ui, {
      title: 'New target',
      act: 'test and add',
      said: [
        'An S3 service. Holdfast tests the key before it saves anything.',
        'If the service is down, you can still add it; its key is tested later.',
      ],
      fields: fieldsOf(ui, targetShape.shape),
      submit: async (values) => {
        const name = await add(ui, values);
        added?.(name);
      },
      ...defined({ left }),
    }),
  );
}

function fieldsOf(ui: Ui, shape: (typeof targetShape)['shape']): Field[] {
  return [
    {
      name: 'endpoint',
      label: 'endpoint',
      help: 'URL of the service without a path, such as https://s3.example.com:9000',
      check: (text) => required(text) ?? schemaProblem(shape.endpoint, text.trim()),
    },
    {
      name: 'protocol',
      label: 'protocol',
      value: 'detect',
      choices: ['detect', ...PROTOCOLS],
      help: 'detect: test which one the service accepts; s3: S3; svc: x-svc- headers (Holdfast)',
    },
    {
      name: 'region',
      label: 'region',
      value: shape.region.parse(undefined),
      help: 'as the service names it, such as eu-central-1',
      check: (text) => (text === '' ? undefined : schemaProblem(shape.region, text.trim())),
    },
    { name: 'accessKeyId', label: 'access key ID', check: required },
    {
      name: 'secretAccessKey',
      label: 'secret access key',
      isSecret: true,
      help: 'not shown; saved in a file that only you can read, not in config.yaml',
      check: required,
    },
    {
      name: 'name',
      label: 'name',
      placeholder: 'named after the host',
      check: (text) => (text === '' ? undefined : schemaProblem(shape.name, text)),
    },
    {
      name: 'caFile',
      label: 'CA file',
      placeholder: 'the certificates of this machine',
      help: 'PEM file with the certificate that signed the certificate of the service',
      complete: (text) => completedPath(text, ui.outside),
    },
  ];
}

/**
 * Adds the target after a confirmation that shows the change, and returns the target's name. Rejects if adding fails or
 * the user declines.
 */
async function add(ui: Ui, values: FormValues): Promise<string> {
  const target = targetOf(ui, values);
  const plan = await ui.call('targets.plan', target);
  if (plan.problems.length > 0) throw new Error(problemText(plan.problems));
  if (!(await ui.ask(planQuestion(ui, target, plan)))) {
    throw new Error('no target was added; change a field, or press Esc to cancel');
  }
  const { accessKeyId = '', secretAccessKey = '' } = values;
  const key = { accessKeyId: accessKeyId.trim(), secretAccessKey: secretAccessKey.trim() };
  const { name, existing, warning } = await ui.call('targets.add', { ...target, ...key });
  const done = existing ? `target ${name}: the key is replaced` : `target ${name} is added`;
  ui.notify(warning === undefined ? done : `target ${name}: ${warning}`);
  return name;
}

type Target = Params<'targets.plan'>;

const PROTOCOLS = ['s3', 'svc'] as const;

function targetOf(ui: Ui, values: FormValues): Target {
  const { endpoint = '', region, protocol, name, caFile = '' } = values;
  const { folder, userHome } = ui.outside;
  const file = caFile.trim();
  return {
    endpoint: endpoint.trim(),
    ...defined({
      region: region?.trim() || undefined,
      protocol: PROTOCOLS.find((each) => each === protocol),
      name: name || undefined,
      caFile: file === '' ? undefined : resolve(folder, fullPath(file, userHome)),
    }),
  };
}

function planQuestion(
  { look, outside }: Ui,
  { endpoint }: Target,
  { name, existing, credentialsFile, diff }: Result<'targets.plan'>,
): Question {
  const file = look.name(shortPath(credentialsFile, outside.userHome));
  const [title, first] = existing
    ? [`Replace the key of target ${name}?`, 'The target exists. Its jobs will use the new key.']
    : [`Add target ${name}?`, look.name(endpoint)];
  return {
    title,
    facts: [
      first,
      `Holdfast tests the key, then saves it in ${file}; only you can read the file.`,
      ...(diff.length > 0 ? ['', ...diffLines(diff, look)] : []),
    ],
  };
}
