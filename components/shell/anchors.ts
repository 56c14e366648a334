export const contentId = 'content';
export const sideMenuId = 'side-menu';
export const sideMenuStartId = 'side-menu-start';
