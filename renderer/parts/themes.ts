import type { MantineColorScheme } from '@mantine/core';
import type { Choice } from './forms/RadioList.tsx';

/** The themes in the order in which the rail goes through them. `auto` follows the system. */
export const themes = [
  { value: 'auto', label: 'System' },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
] as const satisfies readonly Choice<MantineColorScheme>[];
