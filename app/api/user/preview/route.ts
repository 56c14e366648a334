import { z } from 'zod';
import { renderMarkdown } from '@/lib/content/rules/markdown';
import { markdownSchema } from '@/lib/content/schema/text';
import { handle } from '@/lib/api/handle';
import { safeHtmlSchema } from '@/lib/content/schema/safe-html';
import { postBodyBytes, postLimits } from '@/lib/posts/schema';

export const POST = handle(
  {
    summary: 'A text in Markdown as it will be shown',
    access: 'member',
    body: z.strictObject({ text: markdownSchema('the text', { longest: postLimits.longestBody }) }),
    maxBytes: postBodyBytes,
    answers: z.object({ html: safeHtmlSchema }),
    limit: { hits: 120, windowSeconds: 60 },
  },
  async ({ body }) => ({ html: renderMarkdown(body.text) }),
);
