/** The browser's history, where it tells of Back before it acts; see MDN, "Navigation API". */
interface NavigateEvent extends Event {
  readonly navigationType: 'push' | 'reload' | 'replace' | 'traverse';
}

/**
 * Makes Back and Forward close an open dialog and stay on the page. Elsewhere they leave the page with its dialog.
 * @returns what ends it
 */
export function closeDialogOnBack(): () => void {
  const { navigation } = window as { readonly navigation?: EventTarget };
  const onNavigate = (event: Event) => {
    const isBack = (event as NavigateEvent).navigationType === 'traverse' && event.cancelable;
    const dialog = document.querySelector('[role="dialog"], [role="alertdialog"]');
    if (!isBack || !dialog) return;
    event.preventDefault();
    // As a user who leaves it by its key: a dialog that may not be closed now stays.
    const inside = dialog.contains(document.activeElement) ? document.activeElement : dialog;
    inside?.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', code: 'Escape', bubbles: true }));
  };
  navigation?.addEventListener('navigate', onNavigate);
  return () => navigation?.removeEventListener('navigate', onNavigate);
}
