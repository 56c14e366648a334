/** A text of several lines, each a paragraph. */
export function Lines({ of }: { of: string }) {
  return of
    .split('\n')
    .filter((line) => line !== '')
    .map((line, index) => <p key={`${index} ${line}`}>{line}</p>);
}
