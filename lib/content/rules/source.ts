import { parseDocument } from 'yaml';
import {
  type ContentKind,
  type ContentSource,
  contentFacts,
  contentLimits,
  contentReferenceSchema,
  frontMatterSchema,
} from '../schema/pages';

/** A page that was read, or what is wrong with its source: one sentence for each field, with what to do. */
export type ReadSource<K extends ContentKind> =
  | { page: ContentSource<K>; problems?: undefined }
  | { page?: undefined; problems: string[] };

/** Apostrophes as they are printed; keyboards have only straight ones. */
const printed = (text: string) => text.replace(/(?<=[\p{L}\d])'/gu, '’');

const parts = /^---\n([\s\S]*?)\n---(?:\n([\s\S]*))?$/;

/** Reads a page from its source: front matter in YAML between two lines of three hyphens, then Markdown. */
export function readSource<K extends ContentKind>(kind: K, reference: string, text: string): ReadSource<K> {
  const named = contentReferenceSchema.safeParse(reference);
  if (!named.success) return { problems: [`file name: ${named.error.issues[0]?.message}`] };
  const [, head, rest = ''] = parts.exec(text.replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n')) ?? [];
  if (head === undefined)
    return { problems: ['front matter: is missing; begin the file with a line ---, the fields, and another line ---'] };
  const yaml = parseDocument(head, { prettyErrors: false });
  const [broken] = yaml.errors;
  if (broken)
    return {
      problems: [
        `front matter: is no YAML (${broken.message.replace(/\.$/, '')}); put a text with a colon or a quotation mark between quotation marks`,
      ],
    };
  const { page, problems } = checked(kind, reference, yaml.toJS() as unknown, rest.trim());
  return problems.length > 0 || !page ? { problems } : { page };
}

function checked<K extends ContentKind>(
  kind: K,
  reference: string,
  given: unknown,
  body: string,
): { page: ContentSource<K> | null; problems: string[] } {
  const fields = frontMatterSchema.extend(contentFacts[kind].shape).safeParse(given);
  const problems = fields.success
    ? []
    : fields.error.issues.map(({ path, message }) => `${path.join('.') || 'front matter'}: ${message}`);
  if (body === '') problems.push('text: is missing; write it under the front matter');
  if (body.length > contentLimits.longestBody)
    problems.push(`text: may have ${contentLimits.longestBody} characters at most`);
  if (!fields.success) return { page: null, problems };
  const { title, summary, published, updated, demo, ...facts } = fields.data;
  if (updated !== undefined && updated < published) problems.push('updated: must not be before published');
  return {
    page: {
      kind,
      reference,
      title: printed(title),
      summary: printed(summary),
      publishedOn: published,
      updatedOn: updated ?? null,
      demo,
      facts: contentFacts[kind].parse(facts) as ContentSource<K>['facts'],
      body,
    },
    problems,
  };
}
