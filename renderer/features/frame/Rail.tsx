import { pages } from '../../navigation/pages.ts';
import { hrefOf, type Page } from '../../navigation/route.ts';
import {
  ActivityIcon,
  AppsIcon,
  DarkIcon,
  HomeIcon,
  LightIcon,
  ModelsIcon,
  RobotIcon,
  SettingsIcon,
  SystemIcon,
} from '../../parts/icons.tsx';
import { type Theme, themes, useTheme } from '../../parts/use-theme.ts';
import { ariaWithCtrl, withCtrl } from '../shortcuts/shortcut-text.ts';
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

const themeIcons = { auto: SystemIcon, light: LightIcon, dark: DarkIcon } as const satisfies Record<Theme, unknown>;

/** Cycles through the themes. */
export function ThemeToggle() {
  const { theme, choose } = useTheme();
  const at = themes.findIndex(({ value }) => value === theme);
  const { value: next, label: nextLabel } = themes[(at + 1) % themes.length] ?? themes[0];
  const word = (themes[at] ?? themes[0]).label.toLowerCase();
  const action = `Theme: ${word}. Change to ${nextLabel.toLowerCase()}`;
  const Icon = themeIcons[theme];
  return (
    <button type="button" className="rail-item" onClick={() => choose(next)} aria-label={action} title={action}>
      <Icon size={20} />
      <span className="rail-label">
        Theme<span className="rail-more">: {word}</span>
      </span>
    </button>
  );
}
