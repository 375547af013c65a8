import { useId } from 'react';
import './radio-list.css';

interface RadioListProps<Value extends string> {
  readonly legend: string;
  readonly choices: readonly { readonly value: Value; readonly word: string; readonly meaning?: string }[];
  readonly chosen: Value;
  readonly onChoose: (value: Value) => void;
  /** Why the choice cannot stand. */
  readonly error?: string | null;
}

/** One of a few, each with what it means. */
export function RadioList<Value extends string>({ legend, choices, chosen, onChoose, error }: RadioListProps<Value>) {
  const id = useId();
  return (
    <fieldset className="radio-list">
      <legend>{legend}</legend>
      {choices.map(({ value, word, meaning }) => (
        <label key={value} className="radio-choice">
          <input
            type="radio"
            name={id}
            value={value}
            checked={value === chosen}
            onChange={() => onChoose(value)}
            aria-label={word}
            aria-describedby={meaning ? `${id}-${value}` : undefined}
          />
          <span>
            {word}
            {meaning && (
              <span id={`${id}-${value}`} className="muted small radio-meaning">
                {meaning}
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
