import { type MantineColorScheme, useMantineColorScheme } from '@mantine/core';
import { DarkIcon, LightIcon, SystemIcon } from '../../parts/icons.tsx';

const schemes = {
  auto: { word: 'system', next: 'light', Icon: SystemIcon },
  light: { word: 'light', next: 'dark', Icon: LightIcon },
  dark: { word: 'dark', next: 'auto', Icon: DarkIcon },
} as const satisfies Record<MantineColorScheme, unknown>;

/** Cycles through system, light and dark. */
export function ThemeToggle() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const { word, next, Icon } = schemes[colorScheme];
  const label = `Theme: ${word}`;
  return (
    <button
      type="button"
      className="rail-item"
      onClick={() => setColorScheme(next)}
      aria-label={`${label}. Change to ${schemes[next].word}`}
      title={`${label}. Change to ${schemes[next].word}`}
    >
      <Icon size={20} />
      <span className="rail-label">{label}</span>
    </button>
  );
}
