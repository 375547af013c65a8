export const noReadmeText = 'The author has not written one.';
export const readmeCutText = 'The README goes on; this is its beginning.';
export const plainReadmeText = 'This README is shown as plain text, since its formatting could not be read.';
