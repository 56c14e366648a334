export { changesOf } from './changes';
export { staffPagesOf } from './permits';
