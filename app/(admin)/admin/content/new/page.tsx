import type { Metadata } from 'next';
import { redirect } from 'next/navigation';
import { contentFields } from '@/components/admin/content-fields';
import { StaffForm } from '@/components/admin/staff-form';
import { Button } from '@/components/ui/button';
import { Field } from '@/components/ui/field';
import { FormStack } from '@/components/ui/form-stack';
import { Select } from '@/components/ui/select';
import { getEditable } from '@/lib/content/queries';
import { contentKinds, contentParamsSchema } from '@/lib/content/schema';
import { pageMetadata } from '@/lib/pages/page';
import { isFailure } from '@/lib/platform/errors';
import { readStaffViewer } from '@/lib/pages/staff-page';
import { routes } from '@/lib/routes';

export const dynamic = 'force-dynamic';

const path = routes.staff('content', { id: 'new' });

export const metadata: Metadata = pageMetadata({
  title: 'A new text',
  description: 'A text that has no file, written by staff.',
  path,
  index: false,
});

type NewTextProps = { searchParams: Promise<Record<string, string | string[] | undefined>> };

const kinds = contentKinds.filter((kind) => kind !== 'pages');

async function isThere(kind: (typeof contentKinds)[number], reference: string): Promise<boolean> {
  try {
    await getEditable(kind, reference);
    return true;
  } catch (error) {
    if (isFailure(error, 'missing')) return false;
    throw error;
  }
}

export default async function NewTextPage({ searchParams }: NewTextProps) {
  const given = await searchParams;
  await readStaffViewer(path, given);
  const read = contentParamsSchema.safeParse({ kind: given['kind'], reference: given['reference'] });
  const asked = read.success && read.data.kind !== 'pages' ? read.data : null;
  if (asked && (await isThere(asked.kind, asked.reference))) redirect(routes.staffContent(asked.kind, asked.reference));
  const wasAsked = given['reference'] !== undefined && asked === null;
  return (
    <>
      <h1>A new text</h1>
      {asked ? (
        <>
          <p>
            It will stand at <code>{routes.content(asked.kind, asked.reference)}</code> once it is published.
          </p>
          <StaffForm
            call="POST /admin/content/{kind}/{reference}"
            params={asked}
            action="content.save"
            fixed={{ after: '0' }}
            fields={contentFields(asked.kind, null)}
          />
        </>
      ) : (
        <FormStack method="get" action={path}>
          <Select
            name="kind"
            label="Section"
            defaultValue={typeof given['kind'] === 'string' ? given['kind'] : 'articles'}
            choices={kinds.map((kind) => ({ value: kind, title: kind }))}
          />
          <Field
            name="reference"
            label="Reference"
            hint="The end of its address: lowercase words joined by hyphens."
            error={wasAsked ? 'Write lowercase words joined by hyphens, such as closing-line-value.' : undefined}
            required
          />
          <Button type="submit">Begin</Button>
        </FormStack>
      )}
    </>
  );
}
