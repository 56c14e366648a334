import 'server-only';
export { getContent, listContent } from './pages';
export { listBrokenLinks } from './checks';
export { countChangedFiles, getEditable, getVersionPage } from './versions';
export { staffBookmakers, staffContent, staffHelpLines } from './lists';
