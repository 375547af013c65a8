import { Button, MantineProvider } from '@mantine/core';
import { render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { theme } from './theme.ts';

function shown(disabled: boolean, onClick: () => void) {
  return (
    <MantineProvider theme={theme}>
      <form onSubmit={(event) => event.preventDefault()}>
        <Button type="submit" disabled={disabled} onClick={onClick}>
          Start
        </Button>
        <Button component="a" href="#x">
          Link
        </Button>
      </form>
    </MantineProvider>
  );
}

test('every button keeps the focus while it is disabled, and does nothing', async () => {
  const onClick = vi.fn();
  const { rerender } = render(shown(false, onClick));
  const start = screen.getByRole('button');
  await userEvent.tab();
  rerender(shown(true, onClick));
  expect(start).toHaveFocus();
  expect(start).toHaveAttribute('aria-disabled', 'true');
  await userEvent.keyboard('{Enter} ');
  await userEvent.click(start);
  expect(onClick).not.toHaveBeenCalled();
  rerender(shown(false, onClick));
  await userEvent.keyboard('{Enter}');
  expect(onClick).toHaveBeenCalledOnce();
});

test('without the focus it is disabled as usual; links stay links', async () => {
  render(shown(true, () => {}));
  expect(screen.getByRole('button')).toBeDisabled();
  expect(screen.getByRole('link')).toHaveAttribute('href', '#x');
  await userEvent.tab();
  expect(screen.getByRole('link')).toHaveFocus();
});
