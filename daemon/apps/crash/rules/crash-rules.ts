import { codeRules } from './code-rules.ts';
import type { CrashRule } from './crash-rule.ts';
import { environmentRules } from './environment-rules.ts';

/** The first match wins. */
export const crashRules: readonly CrashRule[] = [...codeRules, ...environmentRules];

/**
 * Errors typical of a bug in an exception handler. The exception it was handling is then not the cause of the crash.
 */
export const handlerErrors =
  /^(?:NameError|UnboundLocalError|AttributeError|TypeError|KeyError|IndexError|ZeroDivisionError|AssertionError)\b/;

/** Packages to install, by the name of a module that differs from its package's. */
export const packageOf: ReadonlyMap<string, string> = new Map([
  ['bs4', 'beautifulsoup4'],
  ['cv2', 'opencv-python'],
  ['dotenv', 'python-dotenv'],
  ['PIL', 'pillow'],
  ['serial', 'pyserial'],
  ['skimage', 'scikit-image'],
  ['sklearn', 'scikit-learn'],
  ['usb', 'pyusb'],
  ['yaml', 'pyyaml'],
  ['zmq', 'pyzmq'],
]);
