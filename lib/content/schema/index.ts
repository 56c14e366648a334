export type {
  ContentKind,
  ContentLink,
  ContentList,
  ContentSource,
  ContentSummary,
  ContentView,
  SectionKind,
} from './pages';
export type { SafeHtml } from './safe-html';
export { sections } from './sections';
export type { LinkedTerm } from './terms';
export { lineSchema, lineText, markdownSchema } from './text';
export { safeHtmlSchema } from './safe-html';
export {
  type ContentDraft,
  contentOrderSchema,
  contentParamsSchema,
  type ContentVersion,
  draftMoment,
} from './versions';
export { contentKinds, contentLimits } from './pages';
export {
  bookmakerOrderSchema,
  bookmakerParamsSchema,
  helpLineOrderSchema,
  helpLineParamsSchema,
} from './bookmakers';
