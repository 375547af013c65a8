import { TextInput, type TextInputProps } from '@mantine/core';

/** A text field for names, addresses and tokens. Its error is read out at once. */
export const CodeInput = (props: TextInputProps) => (
  <TextInput
    errorProps={{ role: 'alert' }}
    classNames={{ input: 'mono' }}
    autoComplete="off"
    spellCheck={false}
    {...props}
  />
);
