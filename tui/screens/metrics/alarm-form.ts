/** The form for a new or an existing alarm. */

import type { AlarmDefinitionShape, AlarmShape } from '../../../src/control/methods/monitoring.ts';
import { MISSING_DATA, METRICS, STATISTICS } from '../../../src/control/methods/monitoring.ts';
import { errorMessage } from '../../../src/base/errors.ts';
import type { Ui } from '../../ui/ui.ts';
import { grouped, required } from '../../widgets/field-checks.ts';
import { FormOverlay } from '../../widgets/form.ts';
import type { Field, FormValues } from '../../widgets/form.ts';
import { wholeOf, wholeProblem } from '../../text/pairs.ts';
import { ACTION_HELP, actionsOf, actionsText, METRIC_TEXTS, SIGNS } from './alarm-text.ts';
import { exactBytesText, numberText, readAmount } from '../../../src/text/amounts.ts';
import { durationText, readDuration } from '../../../src/text/time.ts';

/**
 * The periods that the form offers. The specification ("Monitoring and alarms") allows periods from 10 s to 7 days. All
 * evaluated periods together may cover at most a week.
 */
const PERIODS_MS = [60_000, 300_000, 3_600_000, 21_600_000, 86_400_000];
const MOST_PERIODS = 10_080;

export function openAlarmForm(
  ui: Ui,
  from: { readonly bucket: string; readonly alarm?: AlarmShape },
  done: () => void,
): void {
  const { bucket, alarm } = from;
  const submit = async (values: FormValues) => {
    const definition = definitionOf(values, alarm);
    const put = await ui.call('alarms.put', { alarm: definition, replace: alarm !== undefined });
    const asleep =
      put.state === 'DISABLED' ? ': inactive until you press M to monitor the bucket' : '';
    ui.notify(`alarm ${put.name} is ${alarm ? 'changed' : 'created'}${asleep}`);
    done();
  };
  const title = alarm ? `Alarm ${ui.look.name(alarm.name)}` : 'New alarm';
  ui.openOverlay(new FormOverlay(ui, { title, fields: fieldsOf(bucket, alarm), submit }));
}

function metricField(alarm: AlarmShape | undefined): Field {
  return {
    name: 'metric',
    label: 'metric',
    value: METRIC_TEXTS[alarm?.metric ?? METRICS[0]],
    choices: Object.values(METRIC_TEXTS),
    help: 'in commands: BucketSizeBytes; NumberOfObjects',
  };
}

function fieldsOf(bucket: string, alarm: AlarmShape | undefined): readonly Field[] {
  const known = periodText(alarm?.periodMs ?? 60_000);
  const periods = [...new Set([...PERIODS_MS.map(periodText), known])];
  const name: Field = {
    name: 'name',
    label: 'name',
    value: alarm?.name ?? '',
    help: 'such as archive-too-large',
    check: required,
  };
  return [
    ...grouped('Alarm', [
      alarm ? { ...name, fixed: 'the name cannot be changed' } : name,
      { name: 'bucket', label: 'bucket', value: bucket, check: required },
      {
        name: 'description',
        label: 'description',
        value: alarm?.description ?? '',
        placeholder: 'none',
        help: 'shown with the alarm, such as order more disks',
      },
    ]),
    ...grouped('Condition', [
      metricField(alarm),
      {
        name: 'statistic',
        label: 'statistic',
        value: alarm?.statistic ?? 'Average',
        choices: STATISTICS,
        help: 'how the values of one period are combined; default: Average',
      },
      {
        name: 'sign',
        label: 'comparison',
        value: SIGNS[alarm?.comparison ?? 'GreaterThanThreshold'],
        choices: Object.values(SIGNS),
      },
      {
        name: 'threshold',
        label: 'threshold',
        value: alarm ? thresholdText(alarm) : '',
        help: 'a number, or a size such as 500GB',
        check: (text) => required(text) ?? thresholdProblem(text),
      },
    ]),
    ...grouped('Evaluation', [
      { name: 'period', label: 'period', value: known, choices: periods },
      {
        name: 'periods',
        label: 'periods',
        value: String(alarm?.evaluationPeriods ?? 1),
        help: 'number of the latest periods that are evaluated, such as 3; default: 1',
        check: (text) => required(text) ?? wholeProblem(text, 1, MOST_PERIODS),
      },
      {
        name: 'datapoints',
        label: 'breaches',
        value: String(alarm?.datapointsToAlarm ?? 1),
        help: 'number of those periods that must breach the threshold, such as 2; default: 1',
        check: datapointsProblem,
      },
      {
        name: 'missing',
        label: 'missing data',
        value: alarm?.treatMissingData ?? 'missing',
        choices: MISSING_DATA,
        help: 'how a period without data is treated; default: missing, which means no data',
      },
    ]),
    ...grouped('Actions', [
      actionField(alarm, 'ALARM', 'on ALARM'),
      actionField(alarm, 'OK', 'on OK'),
      actionField(alarm, 'INSUFFICIENT_DATA', 'on no data'),
    ]),
  ];
}

/** The actions of a new alarm. */
const DEFAULT_ACTIONS = {
  ALARM: [{ type: 'notification' }],
  OK: [],
  INSUFFICIENT_DATA: [],
} as const;

function actionField(
  alarm: AlarmShape | undefined,
  state: keyof typeof DEFAULT_ACTIONS,
  label: string,
): Field {
  return {
    name: state,
    label,
    value: actionsText(alarm ? alarm.actions[state] : DEFAULT_ACTIONS[state]),
    placeholder: 'no action',
    help: ACTION_HELP,
    check: actionsProblem,
  };
}

function actionsProblem(text: string): string | undefined {
  try {
    actionsOf(text);
    return undefined;
  } catch (error) {
    return errorMessage(error);
  }
}

/** Returns the threshold as text. `readAmount` parses this text to the same value. */
function thresholdText({ metric, threshold }: AlarmShape): string {
  const text = metric === 'BucketSizeBytes' ? exactBytesText(threshold) : numberText(threshold);
  return readAmount(text) === threshold ? text : String(threshold);
}

function thresholdProblem(text: string): string | undefined {
  return readAmount(text) === undefined ? 'write a number, or a size such as 500GB' : undefined;
}

function datapointsProblem(text: string, values: FormValues): string | undefined {
  const most = wholeOf(values['periods'] ?? '1') ?? MOST_PERIODS;
  return wholeProblem(text === '' ? '0' : text, 1, most);
}

/** Returns the period as text. `readDuration` parses this text to the same value. */
function periodText(periodMs: number): string {
  const text = durationText(periodMs);
  return readDuration(text) === periodMs ? text : `${periodMs / 1_000} s`;
}

function chosen<T extends string>(choices: readonly T[], text: string | undefined): T {
  const found = choices.find((each) => each === text) ?? choices[0];
  if (found === undefined) throw new Error(`choose: "${text}" is none of the choices`);
  return found;
}

export function definitionOf(values: FormValues, before?: AlarmShape): AlarmDefinitionShape {
  const signs = Object.entries(SIGNS) as [AlarmShape['comparison'], string][];
  const comparison =
    signs.find(([, sign]) => sign === values['sign'])?.[0] ?? 'GreaterThanThreshold';
  const actions = (state: 'OK' | 'ALARM' | 'INSUFFICIENT_DATA') =>
    actionsOf(values[state] ?? '', before?.actions[state]);
  const description = values['description'] ?? '';
  return {
    name: (values['name'] ?? '').trim(),
    ...(description === '' ? {} : { description }),
    bucket: (values['bucket'] ?? '').trim(),
    metric: METRICS.find((metric) => METRIC_TEXTS[metric] === values['metric']) ?? METRICS[0],
    statistic: chosen(STATISTICS, values['statistic']),
    comparison,
    threshold: readAmount(values['threshold'] ?? '') ?? Number.NaN,
    periodMs: readDuration(values['period'] ?? '') ?? Number.NaN,
    evaluationPeriods: wholeOf(values['periods'] ?? '') ?? Number.NaN,
    datapointsToAlarm: wholeOf(values['datapoints'] ?? '') ?? Number.NaN,
    treatMissingData: chosen(MISSING_DATA, values['missing']),
    actions: {
      OK: actions('OK'),
      ALARM: actions('ALARM'),
      INSUFFICIENT_DATA: actions('INSUFFICIENT_DATA'),
    },
  };
}
