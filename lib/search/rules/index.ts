export { highlight } from './highlight';
export { meaningsOf, readQuestion } from './questions';
export { writeNewsSitemap, writeRobots, writeSitemap, writeSitemapIndex } from './sitemap';
