export { byPreference } from './bookmakers';
export { oddsDisplayFrom, oddsParameter } from './display';
export { slug } from './slug';
export { closestTimeZone, timeZoneLabel, timeZoneTitle, timeZoneTitleOf } from './time-zones';
