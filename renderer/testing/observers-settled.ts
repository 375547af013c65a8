/** Lets all observers of the page's elements see the changes so far: this one, the newest, is told last. */
export async function observersSettled(): Promise<void> {
  const { promise: seen, resolve } = Promise.withResolvers<void>();
  const observer = new MutationObserver(() => resolve());
  observer.observe(document.body, { attributes: true });
  document.body.toggleAttribute('data-settled');
  await seen;
  observer.disconnect();
}
