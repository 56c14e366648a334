/** Says that the days of a heading are those of the page's zone, to a member whose own zone is another; unseen by everybody else. */
export function PageDays() {
  return (
    <span data-page-days hidden>
      {' (UK time)'}
    </span>
  );
}
