import {
  IconActivity,
  IconArrowDown,
  IconArrowLeft,
  IconBell,
  IconChevronDown,
  IconChevronRight,
  IconCopy,
  IconDeviceDesktop,
  IconDiamond,
  IconDots,
  IconDownload,
  IconHeart,
  IconHome,
  IconLayoutGrid,
  IconLock,
  IconMoon,
  IconPlayerPause,
  IconPlayerPlay,
  IconPlayerStop,
  IconPlus,
  IconRefresh,
  IconRobot,
  IconSearch,
  IconSettings,
  IconSun,
  IconTrash,
  IconX,
  type TablerIcon,
} from '@tabler/icons-react';

/** Sets the size and stroke. Hidden from screen readers: an icon always has a label or a named parent. */
function icon(Icon: TablerIcon) {
  return ({ size = 18 }: { readonly size?: number }) => <Icon size={size} stroke={1.5} aria-hidden="true" />;
}

export const HomeIcon = icon(IconHome);
export const RobotIcon = icon(IconRobot);
export const AppsIcon = icon(IconLayoutGrid);
export const ModelsIcon = icon(IconDiamond);
export const ActivityIcon = icon(IconActivity);
export const LightIcon = icon(IconSun);
export const DarkIcon = icon(IconMoon);
export const SystemIcon = icon(IconDeviceDesktop);
export const StartIcon = icon(IconPlayerPlay);
export const StopIcon = icon(IconPlayerStop);
export const SettingsIcon = icon(IconSettings);
export const InstallIcon = icon(IconDownload);
export const AddIcon = icon(IconPlus);
export const RefreshIcon = icon(IconRefresh);
export const BellIcon = icon(IconBell);
export const SearchIcon = icon(IconSearch);
export const LikeIcon = icon(IconHeart);
export const SecretIcon = icon(IconLock);
export const RemoveIcon = icon(IconTrash);
export const BackIcon = icon(IconArrowLeft);
export const DownIcon = icon(IconArrowDown);
export const MoreIcon = icon(IconDots);
export const CopyIcon = icon(IconCopy);
export const WakeIcon = icon(IconSun);
export const SleepIcon = icon(IconMoon);
export const PauseIcon = icon(IconPlayerPause);
export const ClosedIcon = icon(IconChevronRight);
export const OpenIcon = icon(IconChevronDown);
export const ClearIcon = icon(IconX);
