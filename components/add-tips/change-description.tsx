import { useCallback, useState } from 'react';
import type { AnswerOf } from '@/lib/calls';
import { Fetched } from '../modals/fetched';
import { FormStack } from '../ui/form-stack';
import { useForm } from '../ui/use-form';
import { api } from '../state/api';
import { Attempt } from '../state/attempt';
import { type ModalProps, showFeedback } from '../state/modals';
import { Button } from '../ui/button';
import { FormMessage } from '../ui/form-message';
import { TextArea } from '../ui/text-area';
import { longestDescription } from './limits';
import { formatNumber } from '@/lib/format';

type ChangeDescriptionProps = ModalProps['change description'] & { onClose: () => void };

/** Spec §2.5: what the owner says of a portfolio, changed in place. */
export function ChangeDescription({ portfolioReference: reference, onClose }: ChangeDescriptionProps) {
  const load = useCallback(
    (signal: AbortSignal) => api('GET /user/portfolio/{reference}', { params: { reference }, signal }),
    [reference],
  );
  return <Fetched load={load}>{(portfolio) => <DescriptionForm portfolio={portfolio} onClose={onClose} />}</Fetched>;
}

type DescriptionFormProps = { portfolio: AnswerOf<'GET /user/portfolio/{reference}'>; onClose: () => void };

function DescriptionForm({ portfolio: { reference, name, description }, onClose }: DescriptionFormProps) {
  const [attempt] = useState(() => new Attempt());
  const { form, problem, isSending } = useForm(async (text) => {
    const body = { reference, description: text('description') };
    await api('PUT /user/portfolio', { body, idempotencyKey: attempt.keyFor(body) });
    showFeedback({
      title: 'Description changed',
      text: 'The portfolio’s page shows it.',
      kind: 'success',
    });
    onClose();
  });
  return (
    <FormStack {...form}>
      {problem.message && <FormMessage kind="error">{problem.message}</FormMessage>}
      <TextArea
        name="description"
        label={`Description of ${name}`}
        hint={`What you tip on and how. Markdown, ${formatNumber(longestDescription)} characters at most.`}
        rows={8}
        maxLength={longestDescription}
        defaultValue={description}
        error={problem.fields.description}
      />
      <Button type="submit" disabled={isSending}>
        {isSending ? 'Saving…' : 'Save the description'}
      </Button>
    </FormStack>
  );
}
