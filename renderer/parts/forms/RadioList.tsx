import { useId } from 'react';
import './radio-list.css';

export interface Choice<Value extends string> {
  readonly value: Value;
  readonly label: string;
  readonly description?: string;
}

interface RadioListProps<Value extends string> {
  readonly legend: string;
  readonly choices: readonly Choice<Value>[];
  readonly chosen: Value;
  readonly onChoose: (value: Value) => void;
  readonly error?: string | null;
}

/** Radio buttons, each with an optional description. */
export function RadioList<Value extends string>({ legend, choices, chosen, onChoose, error }: RadioListProps<Value>) {
  const id = useId();
  return (
    <fieldset className="radio-list">
      <legend>{legend}</legend>
      {choices.map(({ value, label, description }) => (
        <label key={value} className="radio-choice">
          <input
            type="radio"
            name={id}
            value={value}
            checked={value === chosen}
            onChange={() => onChoose(value)}
            aria-label={label}
            aria-describedby={description ? `${id}-${value}` : undefined}
          />
          <span>
            {label}
            {description && (
              <span id={`${id}-${value}`} className="muted small radio-description">
                {description}
              </span>
            )}
          </span>
        </label>
      ))}
      {error && (
        <p className="radio-error small" role="alert">
          {error}
        </p>
      )}
    </fieldset>
  );
}
