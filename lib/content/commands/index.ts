import 'server-only';
export { editBookmaker, editHelpLine } from './bookmakers';
export { editContent } from './edit';
export { isContentDue, publishDueContent } from './publish';
export { storeContent } from './store';
