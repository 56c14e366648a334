import { openModal } from '../state/modals';
import { Button } from '../ui/button';
import { usePro } from './use-pro';

/** For a member of Pro, the way to take a portfolio into the team, or that it is there; nothing for anybody else. */
export function ProPlace({ portfolio, name }: { portfolio: string; name: string }) {
  const { data: pro } = usePro();
  if (!pro?.running) return null;
  if (pro.team.some(({ reference }) => reference === portfolio)) return <p>{name} is in your Pro team.</p>;
  if (!pro.candidates.some(({ reference }) => reference === portfolio)) return null;
  return (
    <p>
      <Button size="small" onClick={() => openModal('pro upgrade', { portfolio, name })}>
        Add to my Pro team
      </Button>
    </p>
  );
}
