export { highlight } from './highlight';
export { meaningsOf, readQuestion } from './questions';
