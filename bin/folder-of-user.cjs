const { join } = require('node:path');

const projectDir = join(__dirname, '..');

/**
 * Goes to the folder that the user is in: npm runs a script in the project's folder, and paths in the arguments are relative
 * to that of the user.
 * @param {string} script the name of the script in package.json; without npm, nothing changes
 */
exports.beInFolderOfUser = (script) => {
  const { npm_lifecycle_event: running, npm_package_json: manifest, INIT_CWD: folder } = process.env;
  if (running !== script || manifest !== join(projectDir, 'package.json') || !folder) return;
  try {
    process.chdir(folder);
  } catch {
    // It was removed, or may not be read: full paths still work.
  }
};
