import { ButtonLink } from '../ui/button-link';
import { ErrorPage, type ErrorPageLink } from './error-page';

/** The words of a page that cannot be made while the database does not answer. */
export function UnavailablePage({ links }: { links?: ErrorPageLink[] }) {
  return (
    <ErrorPage status={503} title="Back in a moment" links={links} action={<ButtonLink href="">Try again</ButtonLink>}>
      <p>
        The site cannot reach its database at the moment. Your tips and bets are safe. Try again in a few seconds; if
        you were sending something, check that it arrived before you send it twice.
      </p>
    </ErrorPage>
  );
}
