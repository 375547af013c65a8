import { MantineProvider } from '@mantine/core';
import { render, screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { PageBoundary } from './PageBoundary.tsx';

function Broken(): never {
  throw new Error('It cannot be fetched.');
}

test('a page that fails shows an error, and the frame stays', () => {
  const complaints = vi.spyOn(console, 'error').mockImplementation(() => {});
  render(
    <MantineProvider env="test">
      <nav>Pages</nav>
      <PageBoundary>
        <Broken />
      </PageBoundary>
    </MantineProvider>,
  );
  expect(screen.getByRole('heading', { level: 1, name: 'This page cannot be shown' })).toBeVisible();
  expect(screen.getByRole('alert')).toHaveTextContent('It cannot be fetched.');
  expect(screen.getByRole('button', { name: 'Reload' })).toBeEnabled();
  expect(screen.getByText('Pages')).toBeVisible();
  complaints.mockRestore();
});
