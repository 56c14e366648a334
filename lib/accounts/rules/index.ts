export { roundedDegrees } from './geocoding';
export { writeLetter } from './mails';
