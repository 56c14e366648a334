import 'server-only';
export { editBookmaker, editHelpLine } from './bookmakers';
export { editContent } from './edit';
export { publishDueContent } from './publish';
export { storeContent } from './store';
