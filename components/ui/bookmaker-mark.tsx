/** A bookmaker by its colour and the first letter of its name, which stands beside it. */
export function BookmakerMark({ name, colour }: { name: string; colour: string }) {
  return (
    <svg width="24" height="24" viewBox="0 0 24 24" aria-hidden="true">
      <rect width="24" height="24" rx="3" fill={colour} />
      <text x="12" y="17" textAnchor="middle" fontSize="14" fontWeight="700" fill="#fff">
        {name.charAt(0)}
      </text>
    </svg>
  );
}
