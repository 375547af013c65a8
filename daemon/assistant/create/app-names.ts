import { nameFindings } from '../../app-package/manifest.ts';
import { type AppNames, appNamesOf, plainLatin } from '../../contract/apps/app-names.ts';
import { displayText } from '../../shared/display-text.ts';
import { AppNameUnusable } from '../errors.ts';

/** Leaves room for endings such as ".previous", and for the paths of Windows. */
const MAX_CHARS = 50;

/**
 * Derives the forms of a name from how the author writes it: `My first app`, `my-app`, `my_app`, `MyApp`.
 * @throws AppNameUnusable with a sentence for a person, and a suggestion where there is one
 */
export function appNames(written: string): AppNames {
  const text = written.normalize('NFC').trim().replace(/\s+/g, ' ');
  const shown = `"${displayText(text, 60)}"`;
  if (text === '') throw new AppNameUnusable('The app needs a name, such as "My first app".');
  refuseCharacters(text, shown);
  const names = appNamesOf(text);
  if (names === null) throw new AppNameUnusable(`${shown} has no letters. A name looks like "My first app".`);
  refuseName(names.package, shown);
  return names;
}

/** Only characters that need no escape in Python, HTML, TOML, YAML and paths pass. */
function refuseCharacters(text: string, shown: string): void {
  if (/[^\p{L}\p{M}\p{N} _-]/u.test(text)) {
    const rule = `${shown} cannot be the name of an app: use letters, digits, spaces, "-" and "_".`;
    throw new AppNameUnusable(rule, suggested(text.replace(/['’`]/g, '').replace(/[^\p{L}\p{M}\p{N} _-]+/gu, ' ')));
  }
  if (/[^\x20-\x7e]/.test(plainLatin(text))) {
    const rule = `${shown} cannot be the name of an app: Python packages are named with the letters A to Z.`;
    throw new AppNameUnusable(`${rule} Write it with these; the title in README.md may have any letters.`);
  }
}

function refuseName(name: string, shown: string): void {
  const refuse = (why: string, suggestion: string): never => {
    throw new AppNameUnusable(`${shown} cannot be the name of an app: ${why}.`, suggested(suggestion));
  };
  if (name.length > MAX_CHARS) refuse(`it has more than ${MAX_CHARS} characters`, shortened(name));
  if (/^\d/.test(name)) refuse("a Python package's name cannot begin with a digit", `app ${name}`);
  if (keywords.has(name)) refuse('it is a word of the Python language', `${name} app`);
  if (/^robot(?:_sdk)?$/.test(name)) refuse('the SDK is named so', 'my robot app');
  if (/^tests?$/.test(name)) refuse("an app's tests are in a folder named so", `${name} app`);
  if (standardModules.has(name)) refuse('a module of Python itself is named so', `${name} app`);
  if (commonPackages.has(name)) refuse('a Python package that apps use is named so', `${name} app`);
  if (toolFolders.has(name)) refuse('tools have folders of that name', `${name} app`);
  if (nameFindings(name, name.replaceAll('_', '-')).length > 0)
    refuse('it is the name of a device on Windows', `${name} app`);
}

/** The suggestion as an author would write it; null where it is refused too. */
function suggested(text: string): string | null {
  try {
    return appNames(text.replaceAll('_', ' ')).title;
  } catch {
    return null;
  }
}

/** The words that fit, at least one. */
function shortened(name: string): string {
  const short = name.slice(0, MAX_CHARS);
  return short.includes('_') ? short.slice(0, short.lastIndexOf('_')) : short;
}

/** The standard library's modules of Python 3.10 to 3.14 without a leading underscore. A package of such a name hides the module. */
const standardModules: ReadonlySet<string> = words(`
  abc aifc annotationlib antigravity argparse array ast asynchat asyncio asyncore atexit audioop base64 bdb
  binascii binhex bisect builtins bz2 cProfile calendar cgi cgitb chunk cmath cmd code codecs codeop collections
  colorsys compileall compression concurrent configparser contextlib contextvars copy copyreg crypt csv ctypes
  curses dataclasses datetime dbm decimal difflib dis distutils doctest email encodings ensurepip enum errno
  faulthandler fcntl filecmp fileinput fnmatch fractions ftplib functools gc genericpath getopt getpass gettext
  glob graphlib grp gzip hashlib heapq hmac html http idlelib imaplib imghdr imp importlib inspect io ipaddress
  itertools json keyword lib2to3 linecache locale logging lzma mailbox mailcap marshal math mimetypes mmap
  modulefinder msilib msvcrt multiprocessing netrc nis nntplib nt ntpath nturl2path numbers opcode operator
  optparse os ossaudiodev pathlib pdb pickle pickletools pipes pkgutil platform plistlib poplib posix posixpath
  pprint profile pstats pty pwd py_compile pyclbr pydoc pydoc_data pyexpat queue quopri random re readline reprlib
  resource rlcompleter runpy sched secrets select selectors shelve shlex shutil signal site smtpd smtplib sndhdr
  socket socketserver spwd sqlite3 sre_compile sre_constants sre_parse ssl stat statistics string stringprep
  struct subprocess sunau symtable sys sysconfig syslog tabnanny tarfile telnetlib tempfile termios textwrap this
  threading time timeit tkinter token tokenize tomllib trace traceback tracemalloc tty turtle turtledemo types
  typing unicodedata unittest urllib uu uuid venv warnings wave weakref webbrowser winreg winsound wsgiref xdrlib
  xml xmlrpc zipapp zipfile zipimport zlib zoneinfo
`);

/** The names that statements of Python cannot have. */
const keywords: ReadonlySet<string> = words(`
  and as assert async await break class continue def del elif else except false finally for from global if import
  in is lambda none nonlocal not or pass raise return true try while with yield
`);

/** Packages that apps use or are built and tested with: an app of such a name hides the package from itself. */
const commonPackages: ReadonlySet<string> = words(`
  anyio cv2 fastapi huggingface_hub idna miniaudio numpy openai packaging pil pillow pip pydantic pyright pytest requests
  scipy setuptools starlette torch transformers typing_extensions urllib3 uv uvicorn websockets wheel yaml
`);

/** Folders that tools create, or that an install leaves out. */
const toolFolders: ReadonlySet<string> = words('build dist docs env node_modules site_packages src static venv');

function words(text: string): ReadonlySet<string> {
  return new Set(text.trim().split(/\s+/));
}
