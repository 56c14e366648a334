import type { Metadata } from 'next';
import { BooksTable } from '@/components/admin/books-table';
import { SectionHeading } from '@/components/ui/section-heading';
import { listBalancesByKind, listBookProblems } from '@/lib/money/queries';
import { pageMetadata } from '@/lib/pages/page';
import { readStaffViewer } from '@/lib/pages/staff-page';
import { routes } from '@/lib/routes';

export const dynamic = 'force-dynamic';

const path = routes.staff('books');

export const metadata: Metadata = pageMetadata({
  title: 'The books',
  description: 'The accounts of the books by kind and currency, and whether they agree, for staff.',
  path,
  index: false,
});

export default async function BooksPage() {
  const viewer = await readStaffViewer(path);
  const [problems, balances] = [await listBookProblems(), await listBalancesByKind(viewer)];
  return (
    <>
      <h1>The books</h1>
      <SectionHeading>Do they agree?</SectionHeading>
      {problems.length === 0 ? (
        <p>Yes: every balance equals the sum of its postings, and the balances of each currency sum to zero.</p>
      ) : (
        <ul role="alert">
          {problems.map((problem) => (
            <li key={problem}>{problem}</li>
          ))}
        </ul>
      )}
      <SectionHeading>Accounts by kind</SectionHeading>
      <p>
        A positive balance is owed to the owner of the account; a negative one is money held for the site, such as at
        the payment provider.
      </p>
      <BooksTable balances={balances} />
    </>
  );
}
