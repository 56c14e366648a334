import { VisuallyHidden } from './visually-hidden';

/** Stands where a price would: a dash for who sees, words for who hears. */
export function NoPrice() {
  return (
    <>
      <span aria-hidden="true">–</span>
      <VisuallyHidden>no price</VisuallyHidden>
    </>
  );
}
