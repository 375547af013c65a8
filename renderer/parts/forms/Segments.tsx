import { useId } from 'react';
import type { Choice } from './RadioList.tsx';
import './segments.css';

interface SegmentsProps<Value extends string> {
  readonly legend: string;
  readonly choices: readonly Pick<Choice<Value>, 'value' | 'label'>[];
  readonly chosen: Value;
  readonly onChoose: (value: Value) => void;
}

/** A segmented control: one of a few choices. */
export function Segments<Value extends string>({ legend, choices, chosen, onChoose }: SegmentsProps<Value>) {
  const id = useId();
  return (
    <fieldset className="segments">
      <legend className="visually-hidden">{legend}</legend>
      {choices.map(({ value, label }) => (
        <label key={value} className="segment">
          <input
            type="radio"
            name={id}
            className="visually-hidden"
            checked={value === chosen}
            onChange={() => onChoose(value)}
          />
          {label}
        </label>
      ))}
    </fieldset>
  );
}
