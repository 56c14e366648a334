export const contentId = 'content';
export const sideMenuId = 'side-menu';
export const sideMenuStartId = 'side-menu-start';
export const sideMenuEntriesId = 'side-menu-entries';
export const searchPanelId = 'search-panel';
export const searchFieldId = 'search-field';
