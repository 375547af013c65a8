export const searchingText = 'Searching the store, the models and the endpoints…';
export const partialText = 'The store, the models or the endpoints could not be searched.';
export const noneText = 'Nothing matches.';
export const keysText = '↑ ↓ to choose, Enter to open or run, Esc to close';
