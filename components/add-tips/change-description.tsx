import { useAtomValue } from 'jotai';
import { useState } from 'react';
import { FormStack } from '../ui/form-stack';
import { useForm } from '../ui/use-form';
import { api } from '../state/api';
import { Attempt } from '../state/attempt';
import { type ModalProps, showFeedback } from '../state/modals';
import { viewerAtom } from '../state/viewer';
import { Button } from '../ui/button';
import { FormMessage } from '../ui/form-message';
import { TextArea } from '../ui/text-area';
import { longestDescription } from './limits';
import { formatNumber } from '@/lib/format';

type ChangeDescriptionProps = ModalProps['change description'] & { onClose: () => void };

/** Spec §2.5: what the owner says of a portfolio, changed in place. */
export function ChangeDescription({ portfolioReference, onClose }: ChangeDescriptionProps) {
  const viewer = useAtomValue(viewerAtom);
  const portfolio =
    viewer.kind === 'member' ? viewer.portfolios.find(({ reference }) => reference === portfolioReference) : undefined;
  const [attempt] = useState(() => new Attempt());
  const { form, problem, isSending } = useForm(async (text) => {
    const body = { reference: portfolioReference, description: text('description') };
    await api('PUT /user/portfolio', { body, idempotencyKey: attempt.keyFor(body) });
    const { reloadUser } = await import('../state/session');
    await reloadUser();
    showFeedback({
      title: 'Description changed',
      text: 'Everyone can see it on the portfolio’s page.',
      kind: 'success',
    });
    onClose();
  });
  if (!portfolio) return <p>This portfolio is no longer yours. Close this and choose another.</p>;
  return (
    <FormStack {...form}>
      {problem.message && <FormMessage kind="error">{problem.message}</FormMessage>}
      <TextArea
        name="description"
        label={`Description of ${portfolio.name}`}
        hint={`What you tip on and how. Markdown, ${formatNumber(longestDescription)} characters at most.`}
        rows={8}
        maxLength={longestDescription}
        defaultValue={portfolio.description}
        error={problem.fields.description}
      />
      <Button type="submit" disabled={isSending}>
        {isSending ? 'Saving…' : 'Save the description'}
      </Button>
    </FormStack>
  );
}
