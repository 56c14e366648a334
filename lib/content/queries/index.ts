import 'server-only';
export { getContent, listContent } from './pages';
export { countChangedFiles, getEditable, getVersionPage } from './versions';
export { staffBookmakers, staffContent, staffHelpLines } from './lists';
