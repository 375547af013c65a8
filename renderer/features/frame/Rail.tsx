import { hrefOf, type Page, pages } from '../../navigation/route.ts';
import { ActivityIcon, AppsIcon, HomeIcon, ModelsIcon, RobotIcon, SettingsIcon } from '../../parts/icons.tsx';
import { ariaWithCtrl, withCtrl } from '../shortcuts/shortcut-text.ts';
import { ThemeToggle } from './ThemeToggle.tsx';
import './rail.css';

const icons = {
  home: HomeIcon,
  robot: RobotIcon,
  apps: AppsIcon,
  models: ModelsIcon,
  activity: ActivityIcon,
  settings: SettingsIcon,
} as const satisfies Record<Page, unknown>;

export function Rail({ current }: { readonly current: Page }) {
  return (
    <div className="rail">
      <nav aria-label="Pages">
        <ul className="rail-pages">
          {pages.map(({ page, label }, index) => (
            <li key={page}>
              <RailLink page={page} label={label} number={index + 1} isCurrent={page === current} />
            </li>
          ))}
        </ul>
      </nav>
      <ThemeToggle />
    </div>
  );
}

interface RailLinkProps {
  readonly page: Page;
  readonly label: string;
  /** The digit of its shortcut. */
  readonly number: number;
  readonly isCurrent: boolean;
}

function RailLink({ page, label, number, isCurrent }: RailLinkProps) {
  const Icon = icons[page];
  return (
    <a
      className="rail-item"
      href={hrefOf(page)}
      aria-current={isCurrent ? 'page' : undefined}
      aria-keyshortcuts={ariaWithCtrl(String(number))}
      title={`${label} (${withCtrl(String(number))})`}
    >
      <Icon size={20} />
      <span className="rail-label">{label}</span>
    </a>
  );
}
