import activity from 'icon:activity';
import arrowDown from 'icon:arrow-down';
import arrowLeft from 'icon:arrow-left';
import bell from 'icon:bell';
import chevronDown from 'icon:chevron-down';
import chevronRight from 'icon:chevron-right';
import copy from 'icon:copy';
import deviceDesktop from 'icon:device-desktop';
import diamond from 'icon:diamond';
import dots from 'icon:dots';
import download from 'icon:download';
import heart from 'icon:heart';
import help from 'icon:help';
import home from 'icon:home';
import layoutGrid from 'icon:layout-grid';
import lock from 'icon:lock';
import moon from 'icon:moon';
import playerPause from 'icon:player-pause';
import playerPlay from 'icon:player-play';
import playerStop from 'icon:player-stop';
import plus from 'icon:plus';
import refresh from 'icon:refresh';
import robot from 'icon:robot';
import search from 'icon:search';
import settings from 'icon:settings';
import square from 'icon:square';
import squareCheck from 'icon:square-check';
import sun from 'icon:sun';
import trash from 'icon:trash';
import x from 'icon:x';

/** Hidden from screen readers: an icon always has a label or a named parent. `size` in pixels. */
function icon(paths: readonly string[]) {
  return ({ size = 18 }: { readonly size?: number }) => (
    <svg
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth={1.5}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      {paths.map((path) => (
        <path key={path} d={path} />
      ))}
    </svg>
  );
}

export const HomeIcon = icon(home);
export const RobotIcon = icon(robot);
export const AppsIcon = icon(layoutGrid);
export const ModelsIcon = icon(diamond);
export const ActivityIcon = icon(activity);
export const LightIcon = icon(sun);
export const DarkIcon = icon(moon);
export const SystemIcon = icon(deviceDesktop);
export const StartIcon = icon(playerPlay);
export const StopIcon = icon(playerStop);
export const SettingsIcon = icon(settings);
export const HelpIcon = icon(help);
export const InstallIcon = icon(download);
export const AddIcon = icon(plus);
export const RefreshIcon = icon(refresh);
export const BellIcon = icon(bell);
export const SearchIcon = icon(search);
export const LikeIcon = icon(heart);
export const SecretIcon = icon(lock);
export const RemoveIcon = icon(trash);
export const BackIcon = icon(arrowLeft);
export const DownIcon = icon(arrowDown);
export const MoreIcon = icon(dots);
export const CopyIcon = icon(copy);
export const WakeIcon = icon(sun);
export const SleepIcon = icon(moon);
export const PauseIcon = icon(playerPause);
export const ClosedIcon = icon(chevronRight);
export const OpenIcon = icon(chevronDown);
export const ClearIcon = icon(x);
export const TaskIcon = icon(square);
export const DoneTaskIcon = icon(squareCheck);
