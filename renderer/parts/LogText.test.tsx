import { render } from '@testing-library/react';
import { expect, test } from 'vitest';
import { LogText } from './LogText.tsx';

test('a long log is its lines in order, in pieces that the browser may skip', () => {
  const lines = Array.from({ length: 1_000 }, (_, index) => (index % 20 === 19 ? '' : `line ${index}`));
  const { container } = render(<LogText lines={lines} />);
  expect(container.textContent).toBe(`${lines.join('\n')}\n`);
  expect(container.querySelectorAll('.log-chunk')).toHaveLength(50);
});
