import { fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ignoreHeldKeys } from './held-keys.ts';

let end: () => void;
beforeEach(() => {
  end = ignoreHeldKeys();
});
afterEach(() => end());

test.each(['Enter', ' '])('a held %j presses a control once', (key) => {
  render(<button type="button">Stop</button>);
  const stop = screen.getByRole('button');
  expect(fireEvent.keyDown(stop, { key })).toBe(true);
  expect(fireEvent.keyDown(stop, { key, repeat: true }), 'the default action is prevented').toBe(false);
});

test('text can be typed by a held key, and a form is sent once', () => {
  render(
    <>
      <input />
      <textarea />
    </>,
  );
  const [input, textarea] = screen.getAllByRole('textbox') as [HTMLElement, HTMLElement];
  expect(fireEvent.keyDown(input, { key: ' ', repeat: true })).toBe(true);
  expect(fireEvent.keyDown(input, { key: 'Backspace', repeat: true })).toBe(true);
  expect(fireEvent.keyDown(input, { key: 'Enter', repeat: true })).toBe(false);
  expect(fireEvent.keyDown(textarea, { key: 'Enter', repeat: true })).toBe(true);
});
