export { cleanHtml, excerptOf, excerptSourceLength, renderArticle, renderMarkdown, type TextPart } from './markdown';
export {
  articleData,
  breadcrumbData,
  reviewData,
  type StructuredData,
  termData,
  writeStructuredData,
} from './structured-data';
export { type Difference, differencesOf, linesOfPage } from './differences';
