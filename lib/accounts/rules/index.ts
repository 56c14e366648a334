export { roundedDegrees } from './geocoding';
