import { type MantineColorScheme, useMantineColorScheme } from '@mantine/core';

export type Theme = MantineColorScheme;

/** The themes in the order in which the rail goes through them. `auto` follows the system. */
export const themes = [
  { value: 'auto', label: 'System' },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
] as const satisfies readonly { value: Theme; label: string }[];

/** The theme of this browser, which it remembers. */
export function useTheme(): { readonly theme: Theme; readonly choose: (theme: Theme) => void } {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return { theme: colorScheme, choose: setColorScheme };
}
