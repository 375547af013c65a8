#!/bin/sh
# Runs after the files of a deb or rpm are removed, and during an update. electron-builder fills in the names in braces.
set -e
# dpkg says "remove" or "purge", rpm says how many versions stay; an update keeps everything.
case "$1" in remove | purge | 0) ;; *) exit 0 ;; esac

unlink() {
  case "$(readlink "/usr/bin/$1")" in '/opt/${sanitizedProductName}/'*) rm -f "/usr/bin/$1" ;; esac
}
unlink '${executable}'
unlink robot-daemon
unlink robot-app-assistant

profile='/etc/apparmor.d/${executable}'
if [ -e "$profile" ]; then
  if apparmor_status --enabled >/dev/null 2>&1; then apparmor_parser --remove "$profile" || true; fi
  rm -f "$profile"
fi

if command -v udevadm >/dev/null; then udevadm control --reload || true; fi
if command -v update-desktop-database >/dev/null; then update-desktop-database -q /usr/share/applications || true; fi
