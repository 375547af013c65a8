/** Files that a system's file manager runs instead of showing them, Python's where an installer set it up so. */
const programs: Partial<Record<NodeJS.Platform, RegExp>> = {
  win32: /\.(?:py|pyw|pyz|exe|com|bat|cmd|ps1|vbs|js|jse|wsf|msi|scr|lnk|url|hta|reg)$/i,
  darwin: /\.(?:py|pyw|command|tool|app|sh|terminal|workflow|pkg|scpt)$/i,
  linux: /\.(?:desktop|appimage|run|jar)$/i,
};

/** Whether opening a file would run it. */
export function isProgram(path: string, platform: NodeJS.Platform): boolean {
  return programs[platform]?.test(path) ?? false;
}
