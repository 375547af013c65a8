/** The dashboard's pages in the order of its rail. Ctrl or Cmd with 1 to 6 opens them, in the window's menu too. */
export const pages = [
  { page: 'home', label: 'Home' },
  { page: 'robot', label: 'Robot' },
  { page: 'apps', label: 'Apps' },
  { page: 'models', label: 'Models' },
  { page: 'activity', label: 'Activity' },
  { page: 'settings', label: 'Settings' },
] as const;
