import { act, render, screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { useFollowTail } from './use-follow-tail.ts';

afterEach(() => vi.unstubAllGlobals());

function Box() {
  const { box, onScroll } = useFollowTail('');
  return <div ref={box} onScroll={onScroll} role="log" />;
}

test('the end of a box stays in view when the box becomes smaller', () => {
  let resized = () => {};
  vi.stubGlobal(
    'ResizeObserver',
    class {
      constructor(callback: () => void) {
        resized = callback;
      }
      observe() {}
      disconnect() {}
    },
  );
  render(<Box />);
  const box = screen.getByRole('log');
  Object.defineProperty(box, 'scrollHeight', { value: 700 });
  act(() => resized());
  expect(box.scrollTop).toBe(700);
});
