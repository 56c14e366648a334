import { highlight } from '@/lib/search/rules';

type MarkedProps = { text: string; terms: readonly string[] };

/** A text in which what was looked for is marked. */
export function Marked({ text, terms }: MarkedProps) {
  return highlight(text, terms).map((piece, index) =>
    piece.found ? <mark key={index}>{piece.text}</mark> : piece.text,
  );
}
