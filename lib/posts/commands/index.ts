import 'server-only';
export { editPost } from './edit';
export { publishPost } from './publish';
