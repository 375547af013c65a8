// Runs before the first paint, so that the other theme never flashes. Keep in step with theme/theme.ts.
{
  let chosen = null;
  try {
    chosen = localStorage.getItem('robot-desktop.color-scheme');
  } catch {
    // Storage may be blocked: then the system's scheme applies.
  }
  const dark = chosen === 'dark' || (chosen !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.setAttribute('data-mantine-color-scheme', dark ? 'dark' : 'light');
}
