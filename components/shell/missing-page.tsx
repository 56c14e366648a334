import { ErrorPage } from './error-page';
import type { ErrorPageLink } from './error-page';

export function MissingPage({ links }: { links: ErrorPageLink[] }) {
  return (
    <ErrorPage status={404} title="There is no page at this address" links={links}>
      <p>
        The address may be misspelt, or the page may have been taken down. Check the address, or pick up again below.
      </p>
    </ErrorPage>
  );
}
