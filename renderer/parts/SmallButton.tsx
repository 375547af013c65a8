import { Button } from '@mantine/core';

/** The button within a text, a row or a note. */
export const SmallButton = Button.withProps({ variant: 'default', size: 'compact-sm' });
