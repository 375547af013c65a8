import { TextInput, type TextInputProps } from '@mantine/core';
import { DEFAULT_THRESHOLDS } from '../../../daemon/contract/compute/scaling-limits.ts';
import { RadioList } from '../../parts/forms/RadioList.tsx';
import type { Measure } from './scaling-form.ts';

const measures = [
  {
    value: 'pendingRequests',
    label: 'The number of requests',
    description: 'Those that are answered or wait at the same time.',
  },
  {
    value: 'hardwareUsage',
    label: 'The use of the hardware',
    description:
      'Of the processors, or of the graphics card, which all replicas share: 80\u00a0% allows two, 25\u00a0% four.',
  },
] as const satisfies readonly { value: Measure; label: string; description: string }[];

const labels: Readonly<Record<Measure, string>> = {
  pendingRequests: 'Requests for each replica',
  hardwareUsage: 'Percent in use',
};

interface MeasureFieldsProps {
  readonly measure: Measure;
  readonly onMeasure: (measure: Measure) => void;
  readonly threshold: TextInputProps;
}

/** The measure that starts more replicas, and its threshold. */
export function MeasureFields({ measure, onMeasure, threshold }: MeasureFieldsProps) {
  const placeholder = String(DEFAULT_THRESHOLDS[measure]);
  return (
    <div className="scaling-measure">
      <RadioList legend="More replicas are started by" choices={measures} chosen={measure} onChoose={onMeasure} />
      <TextInput
        {...threshold}
        label={labels[measure]}
        description={`Above it, another one starts. Empty: ${placeholder}.`}
        placeholder={placeholder}
      />
    </div>
  );
}
