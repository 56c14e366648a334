import { Button } from '../ui/button';
import { ButtonLink } from '../ui/button-link';
import { ErrorPage, type ErrorPageLink } from './error-page';

type CrashedPageProps = { digest?: string; links?: ErrorPageLink[]; onRetry?: () => void };

export function CrashedPage({ digest, links, onRetry }: CrashedPageProps) {
  // Without script the way back is the address itself.
  const again = onRetry ? <Button onClick={onRetry}>Try again</Button> : <ButtonLink href="">Try again</ButtonLink>;
  return (
    <ErrorPage status={500} title="This page could not be loaded" links={links} action={again}>
      <p>
        The fault is ours, not yours. Try again in a moment; if you were sending something, check that it arrived before
        you send it twice.
      </p>
      {digest && (
        <p>
          If you write to us, quote the reference <code>{digest}</code>.
        </p>
      )}
    </ErrorPage>
  );
}
