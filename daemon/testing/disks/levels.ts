import { APP, type UsersState } from './daemon-on-small-disk.ts';
import { PAGE } from './small-disk.ts';

export const DISK_MB = 64;
/** The space that an install reserves for other programs, in pages; see disk-guard.ts. */
const RESERVE = Math.ceil((DISK_MB * 2 ** 20 * 0.05) / PAGE);
/** The size of an app, which an install writes three times: its copy, its wheel, its files. */
export const APP_PAGES = 300;

interface Level {
  readonly pages: number;
  /** Whether an app starts there. */
  readonly starts: boolean;
  readonly installs: boolean;
}

/**
 * The free pages of each level: few for records, which take one or two each; many for installs.
 * @param most the most pages where every level is wanted
 */
export function levels(most: string | undefined, random: () => number): readonly Level[] {
  if (most !== undefined) {
    const few = Array.from({ length: Number(most) + 1 }, (_, pages) => ({
      pages,
      starts: true,
      installs: pages % 16 === 0,
    }));
    const many = Array.from({ length: 4 * APP_PAGES }, (_, step) => ({
      pages: RESERVE + step,
      starts: false,
      installs: true,
    }));
    return [...few, ...many];
  }
  const below = (limit: number) => Math.floor(random() * limit);
  return Array.from({ length: 25 }, (_, turn) => {
    if (turn % 5 === 4) return { pages: RESERVE + below(5 * APP_PAGES), starts: false, installs: true };
    return { pages: turn === 0 ? 0 : below(turn % 5 === 3 ? RESERVE : 12), starts: turn % 8 === 0, installs: true };
  });
}

/** A change that a user makes, which takes a page or some of them. */
export interface Change {
  readonly path: string;
  readonly body: object;
  /** The state after it; omitted if the daemon does not tell it. */
  readonly becomes?: (before: UsersState) => UsersState;
}

/** @param turn which of the values it gives  @param value long or short: a record takes one page or several */
export function changes(turn: number, value: string): readonly Change[] {
  const startupApp = turn % 2 === 0 ? 'steady' : null;
  const pinned = turn % 2 === 0;
  const assigned = turn % 3 === 0 ? 'kept' : null;
  return [
    {
      path: `${APP}/variables/ROOM`,
      body: { value, secret: false },
      becomes: (before) => ({
        ...before,
        variables: before.variables.map((each) => (each.name === 'ROOM' ? { ...each, value } : each)),
      }),
    },
    { path: `${APP}/variables/KEY`, body: { value, secret: true } },
    {
      path: `${APP}/needs/chat`,
      body: { endpoint: assigned && { namespace: 'lab', name: assigned } },
      becomes: (before) => withSteady(before, { assigned: [assigned] }),
    },
    { path: `${APP}/pin`, body: { pinned }, becomes: (before) => withSteady(before, { pinned }) },
    { path: '/api/apps/startup-app', body: { startupApp }, becomes: (before) => ({ ...before, startupApp }) },
  ];
}

type App = UsersState['apps'][number];

function withSteady(state: UsersState, changed: Partial<App>): UsersState {
  return { ...state, apps: state.apps.map((app) => (app.name === 'steady' ? { ...app, ...changed } : app)) };
}

/** The state after an app was installed, or another version of it. */
export function withInstalled(state: UsersState, name: string, version: string): UsersState {
  const assigned = state.apps.find((app) => app.name === name)?.assigned ?? [null];
  const others = state.apps.filter((app) => app.name !== name);
  const apps = [...others, { name, version, pinned: false, assigned }];
  return { ...state, apps: apps.sort((a, b) => (a.name < b.name ? -1 : 1)) };
}
