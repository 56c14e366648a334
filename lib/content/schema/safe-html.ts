import { z } from 'zod';

/** Markup that a sanitiser has made; only `lib/content/rules/markdown.ts` casts a string to it, and only `components/ui/html.tsx` puts it into a page. */
export type SafeHtml = string & { readonly safe: 'html' };

/** Such markup in a view. */
export const safeHtmlSchema = z.string() as unknown as z.ZodType<SafeHtml, SafeHtml>;
