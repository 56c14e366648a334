import 'server-only';
export { search } from './search';
