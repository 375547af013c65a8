import { TextInput, type TextInputProps } from '@mantine/core';
import { RadioList } from '../../parts/forms/RadioList.tsx';
import type { Measure } from './scaling-form.ts';

const measures = [
  {
    value: 'pendingRequests',
    label: 'Its requests',
    description: 'Those that are answered or wait at the same time, for each replica.',
  },
  {
    value: 'hardwareUsage',
    label: 'The use of the hardware',
    description: 'Of the processors, or of the graphics card.',
  },
] as const satisfies readonly { value: Measure; label: string; description: string }[];

const thresholds: Readonly<Record<Measure, { readonly label: string; readonly placeholder: string }>> = {
  pendingRequests: { label: 'More than so many requests', placeholder: '1.5' },
  hardwareUsage: { label: 'More than so many percent', placeholder: '80' },
};

interface MeasureFieldsProps {
  readonly measure: Measure;
  readonly onMeasure: (measure: Measure) => void;
  readonly threshold: TextInputProps;
}

/** What starts more replicas, and from when on. */
export function MeasureFields({ measure, onMeasure, threshold }: MeasureFieldsProps) {
  const { label, placeholder } = thresholds[measure];
  return (
    <div className="scaling-measure">
      <RadioList legend="More replicas are started by" choices={measures} chosen={measure} onChoose={onMeasure} />
      <TextInput
        {...threshold}
        label={label}
        description={`In the mean of 20 seconds. Empty: ${placeholder}.`}
        placeholder={placeholder}
      />
    </div>
  );
}
