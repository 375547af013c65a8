// Loads the page again, once, when a part of it was lost on its way: it would never start. Chromium gives up what it loads
// when a network interface comes or goes, as with each container, even on loopback.
{
  const WAIT_MS = 1000;
  const ONCE_EACH_MS = 10_000;
  const key = 'robot-desktop.loaded-again-at';
  const loadAgain = ({ target }) => {
    const isPart = target instanceof HTMLScriptElement || (target instanceof HTMLLinkElement && target.as !== 'font');
    const hasStarted = document.getElementById('root') && !document.querySelector('[data-starting]');
    if (!isPart || hasStarted) return;
    try {
      if (Date.now() - Number(sessionStorage.getItem(key)) < ONCE_EACH_MS) return;
      sessionStorage.setItem(key, String(Date.now()));
    } catch {
      return; // Storage may be blocked: then it could be loaded again for ever.
    }
    setTimeout(() => location.reload(), WAIT_MS);
  };
  // Errors of elements do not bubble.
  addEventListener('error', loadAgain, { capture: true });
}
