import type { AppTemplate } from '../../../daemon/contract/apps/own-apps.ts';
import { templates } from './own-app-text.ts';
import './own-apps.css';

interface TemplateCardsProps {
  readonly chosen: AppTemplate;
  readonly onChoose: (template: AppTemplate) => void;
}

/** Chooses what a new app begins with. */
export function TemplateCards({ chosen, onChoose }: TemplateCardsProps) {
  return (
    <fieldset className="template-cards">
      <legend>Start with</legend>
      {templates.map(({ value, label, does }) => (
        <label key={value} className="template-card">
          <input
            type="radio"
            name="template"
            value={value}
            checked={value === chosen}
            onChange={() => onChoose(value)}
            aria-label={label}
            aria-describedby={`template-${value}`}
          />
          <span>
            <span className="template-name">{label}</span>
            <span id={`template-${value}`} className="muted small template-does">
              {does}
            </span>
          </span>
        </label>
      ))}
    </fieldset>
  );
}
