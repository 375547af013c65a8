import type { MantineColorScheme } from '@mantine/core';

/** The themes in the order in which the rail goes through them. `auto` follows the system. */
export const themes = [
  { value: 'auto', label: 'System' },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
] as const satisfies readonly { readonly value: MantineColorScheme; readonly label: string }[];
