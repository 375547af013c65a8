// Runs before the first paint, so that a chosen theme never flashes the other one. Keep in step with theme/theme.ts.
{
  let chosen = null;
  try {
    chosen = localStorage.getItem('robot-desktop.color-scheme');
  } catch {
    // Storage may be forbidden; then the system decides.
  }
  const dark = chosen === 'dark' || (chosen !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.setAttribute('data-mantine-color-scheme', dark ? 'dark' : 'light');
}
