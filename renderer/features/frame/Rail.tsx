import { hrefOf, type Page } from '../../navigation/route.ts';
import { ActivityIcon, AppsIcon, HomeIcon, ModelsIcon, RobotIcon, SettingsIcon } from '../../parts/icons.tsx';
import { ThemeToggle } from './ThemeToggle.tsx';
import './rail.css';

/** Ordered by shortcut: Ctrl or Cmd with 1 to 6. */
export const railPages = [
  { page: 'home', label: 'Home', Icon: HomeIcon },
  { page: 'robot', label: 'Robot', Icon: RobotIcon },
  { page: 'apps', label: 'Apps', Icon: AppsIcon },
  { page: 'models', label: 'Models', Icon: ModelsIcon },
  { page: 'activity', label: 'Activity', Icon: ActivityIcon },
  { page: 'settings', label: 'Settings', Icon: SettingsIcon },
] as const satisfies readonly { page: Page; label: string; Icon: unknown }[];

export function Rail({ current }: { readonly current: Page }) {
  return (
    <div className="rail">
      <nav aria-label="Pages">
        <ul className="rail-pages">
          {railPages.map(({ page, label, Icon }, index) => (
            <li key={page}>
              <a
                className="rail-item"
                href={hrefOf(page)}
                aria-current={page === current ? 'page' : undefined}
                aria-keyshortcuts={`Control+${index + 1} Meta+${index + 1}`}
                title={`${label} (Ctrl+${index + 1})`}
              >
                <Icon size={20} />
                <span className="rail-label">{label}</span>
              </a>
            </li>
          ))}
        </ul>
      </nav>
      <ThemeToggle />
    </div>
  );
}
