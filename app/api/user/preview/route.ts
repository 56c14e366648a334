import { z } from 'zod';
import { renderMarkdown } from '@/lib/content/rules';
import { markdownSchema, safeHtmlSchema } from '@/lib/content/schema';
import { handle } from '@/lib/api/handle';
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
