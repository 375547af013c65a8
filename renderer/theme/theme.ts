import {
  type ButtonProps,
  type CSSVariablesResolver,
  createTheme,
  defaultVariantColorsResolver,
  localStorageColorSchemeManager,
  type MantineColorsTuple,
  type ModalProps,
  type SwitchProps,
} from '@mantine/core';
import { SteadyButton } from './SteadyButton.tsx';

/** The antenna's colour, light to dark. Shade 6 is the light theme's accent, shade 3 the dark one's (tokens.css). */
const accent: MantineColorsTuple = [
  '#fff1ec',
  '#ffddd2',
  '#ffbda8',
  '#ff9a7b',
  '#f47c5a',
  '#d95f3d',
  '#b4432a',
  '#953420',
  '#782919',
  '#5c1f13',
];

export const theme = createTheme({
  colors: { accent },
  primaryColor: 'accent',
  primaryShade: { light: 6, dark: 3 },
  autoContrast: true,
  // autoContrast considers the light theme's shade only; the text colour on the accent differs between themes.
  variantColorResolver: (input) => {
    const colors = defaultVariantColorsResolver(input);
    return input.variant === 'filled' ? { ...colors, color: 'var(--accent-ink)' } : colors;
  },
  black: '#1d1b19',
  fontFamily: '"Inter Variable", system-ui, sans-serif',
  fontFamilyMonospace: '"JetBrains Mono Variable", ui-monospace, monospace',
  fontSizes: { xs: '12px', sm: '13px', md: '14px', lg: '16px', xl: '20px' },
  lineHeights: { md: '1.5' },
  radius: { sm: '8px', md: '8px', lg: '10px' },
  defaultRadius: 'md',
  respectReducedMotion: true,
  cursorType: 'pointer',
  // Without the components themselves: the first page needs no dialog and no switch.
  components: {
    Button: { defaultProps: { size: 'sm', component: SteadyButton } as Partial<ButtonProps> },
    // The page itself never scrolls, and the lock would add a style that the content security policy blocks.
    Modal: {
      defaultProps: { lockScroll: false, closeButtonProps: { 'aria-label': 'Close' } } satisfies Partial<ModalProps>,
    },
    Switch: { defaultProps: { withThumbIndicator: false } satisfies Partial<SwitchProps> },
  },
});

/** Maps Mantine's variables to our tokens, which are plain CSS so that they apply before any script runs. */
export const cssVariables: CSSVariablesResolver = () => {
  const tokens = {
    '--mantine-color-body': 'var(--ground)',
    '--mantine-color-text': 'var(--ink)',
    '--mantine-color-dimmed': 'var(--muted)',
    '--mantine-color-placeholder': 'var(--muted)',
    '--mantine-color-anchor': 'var(--accent)',
    '--mantine-color-error': 'var(--failed)',
    '--mantine-color-default': 'var(--raised)',
    '--mantine-color-default-hover': 'color-mix(in srgb, var(--ink) 6%, var(--raised))',
    '--mantine-color-default-color': 'var(--ink)',
    '--mantine-color-default-border': 'var(--edge)',
    '--mantine-color-disabled': 'color-mix(in srgb, var(--ink) 7%, var(--surface))',
    '--mantine-color-disabled-color': 'var(--muted)',
    '--mantine-color-disabled-border': 'var(--line)',
    '--mantine-color-accent-light-color': 'var(--accent)',
  };
  return { variables: {}, light: tokens, dark: tokens };
};

/** Keep the key in step with public/color-scheme.js, which sets the scheme before the first paint. */
export const colorSchemeManager = localStorageColorSchemeManager({ key: 'robot-desktop.color-scheme' });
