import { DarkIcon, LightIcon, SystemIcon } from '../../parts/icons.tsx';
import { type Theme, themes, useTheme } from '../../parts/use-theme.ts';

const icons = { auto: SystemIcon, light: LightIcon, dark: DarkIcon } as const satisfies Record<Theme, unknown>;

/** Cycles through the themes. */
export function ThemeToggle() {
  const { theme, choose } = useTheme();
  const at = themes.findIndex(({ value }) => value === theme);
  const { value: next, label: nextLabel } = themes[(at + 1) % themes.length] ?? themes[0];
  const word = (themes[at] ?? themes[0]).label.toLowerCase();
  const action = `Theme: ${word}. Change to ${nextLabel.toLowerCase()}`;
  const Icon = icons[theme];
  return (
    <button type="button" className="rail-item" onClick={() => choose(next)} aria-label={action} title={action}>
      <Icon size={20} />
      <span className="rail-label">
        Theme<span className="rail-more">: {word}</span>
      </span>
    </button>
  );
}
