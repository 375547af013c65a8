import { act } from '@testing-library/react';

/** Does what changes the address, and waits until the page has followed: the address changes at once, the page a turn later. */
export async function following(change: () => unknown): Promise<void> {
  const before = window.location.href;
  const { promise: followed, resolve } = Promise.withResolvers<void>();
  const onChange = ({ newURL }: HashChangeEvent) => {
    const { href } = window.location;
    // Not the event of an earlier change, which may come after this one. Those of the page itself have no address.
    if (href !== before && (newURL === '' || newURL === href)) resolve();
  };
  window.addEventListener('hashchange', onChange);
  try {
    await change();
    await act(() => followed);
  } finally {
    window.removeEventListener('hashchange', onChange);
  }
}
