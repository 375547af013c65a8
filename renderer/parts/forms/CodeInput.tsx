import { TextInput, type TextInputProps } from '@mantine/core';

/** A monospaced field for names, addresses and tokens. Screen readers announce its error at once. */
export const CodeInput = (props: TextInputProps) => (
  <TextInput
    errorProps={{ role: 'alert' }}
    classNames={{ input: 'mono' }}
    autoComplete="off"
    spellCheck={false}
    {...props}
  />
);
