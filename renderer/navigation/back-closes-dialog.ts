import { currentEntry } from './history-entry.ts';

/** The browser's history, where it tells of Back before it acts; see MDN, "Navigation API". */
interface NavigateEvent extends Event {
  readonly navigationType: 'push' | 'reload' | 'replace' | 'traverse';
}

/** Makes Back and Forward close an open dialog and stay on the page. @returns what ends it */
export function closeDialogOnBack(): () => void {
  const { navigation } = window as { readonly navigation?: EventTarget };
  return navigation ? closeBefore(navigation) : closeAfterwards();
}

/** Prevents Back while a dialog is open. */
function closeBefore(navigation: EventTarget): () => void {
  const onNavigate = (event: Event) => {
    const isBack = (event as NavigateEvent).navigationType === 'traverse' && event.cancelable;
    const dialog = openDialog();
    if (!isBack || !dialog) return;
    event.preventDefault();
    closeByKey(dialog);
  };
  navigation.addEventListener('navigate', onNavigate);
  return () => navigation.removeEventListener('navigate', onNavigate);
}

/**
 * For browsers that tell of Back only once it is done (Firefox before 147, Safari before 26.2): enters the address again before the page
 * notices that it has changed. Entries that could be reached by Forward are lost.
 */
function closeAfterwards(): () => void {
  let place = currentPlace();
  const onPopState = (event: PopStateEvent) => {
    const dialog = openDialog();
    // A new entry has no name yet: a link in the dialog leads there. The event of the page's own address may come late.
    if (!dialog || currentEntry() === null || window.location.href === place.href) return;
    event.stopImmediatePropagation();
    window.history.pushState(place.state, '', place.href);
    closeByKey(dialog);
  };
  // Later than the listeners that name a new entry in its state.
  const onMoved = () => {
    setTimeout(() => {
      place = currentPlace();
    });
  };
  window.addEventListener('popstate', onPopState, { capture: true });
  window.addEventListener('hashchange', onMoved);
  onMoved();
  return () => {
    window.removeEventListener('popstate', onPopState, { capture: true });
    window.removeEventListener('hashchange', onMoved);
  };
}

const currentPlace = () => ({ state: window.history.state as unknown, href: window.location.href });

const openDialog = () => document.querySelector('[role="dialog"], [role="alertdialog"]');

/** Closes it as a user does who leaves it by its key: one that may not be closed now stays. */
function closeByKey(dialog: Element): void {
  const inside = dialog.contains(document.activeElement) ? document.activeElement : dialog;
  inside?.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', code: 'Escape', bubbles: true }));
}
