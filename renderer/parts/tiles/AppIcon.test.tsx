import { fireEvent, render } from '@testing-library/react';
import { expect, test } from 'vitest';
import { AppIcon } from './AppIcon.tsx';
import { PublisherTile } from './PublisherTile.tsx';

const icon = '/api/apps/installed/wave/icon?version=0123456789abcdef';
const only = (container: HTMLElement) => container.firstElementChild as HTMLElement;

test('an app without an icon has a tile of its initials, which screen readers leave out', () => {
  const { container } = render(<AppIcon app={{ title: 'Hello wave', icon: null }} />);
  expect(only(container)).toHaveAttribute('data-letters', 'HW');
  expect(only(container)).toHaveAttribute('aria-hidden', 'true');
  expect(only(container)).toBeEmptyDOMElement();
});

test('the tile is there until the icon is loaded, and stays if it is not', () => {
  const { container } = render(<AppIcon app={{ title: 'Hello wave', icon }} />);
  const image = container.querySelector('img') as HTMLImageElement;
  expect(image).toHaveAttribute('src', icon);
  expect(image).toHaveAttribute('alt', '');
  fireEvent.error(image);
  expect(only(container)).not.toHaveClass('tile-covered');
  fireEvent.load(image);
  expect(only(container)).toHaveClass('tile-covered');
});

test('a new icon is waited for like the first', () => {
  const { container, rerender } = render(<AppIcon app={{ title: 'Hello wave', icon }} />);
  fireEvent.load(container.querySelector('img') as HTMLImageElement);
  rerender(<AppIcon app={{ title: 'Hello wave', icon: icon.replace('0', '1') }} />);
  expect(only(container)).not.toHaveClass('tile-covered');
  rerender(<AppIcon app={{ title: 'Hello wave', icon: null }} />);
  expect(only(container)).toBeEmptyDOMElement();
});

test('a publisher is round, and one letter where there is little room', () => {
  const { container, rerender } = render(<PublisherTile publisher="meta-llama" />);
  expect(only(container)).toHaveClass('tile-round');
  expect(only(container)).toHaveAttribute('data-letters', 'ML');
  rerender(<PublisherTile publisher="meta-llama" isSmall />);
  expect(only(container)).toHaveAttribute('data-letters', 'M');
});
