export { roleNames } from './roles';
export { roundedDegrees } from './geocoding';
export { type Part, renderMail } from './letter';
