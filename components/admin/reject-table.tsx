import type { FeedReject } from '@/lib/fixtures/schema';
import { FigureCell } from '../ui/figure-cell';
import { FigureHead } from '../ui/figure-head';
import { Table } from '../ui/table';

/** The rows that a run of a feed left out: where each stood, why, and what it said. */
export function RejectTable({ rejects }: { rejects: readonly FeedReject[] }) {
  return (
    <Table caption="Rows left out" narrow="stack">
      <thead>
        <tr>
          <FigureHead>Row</FigureHead>
          <th scope="col">Column</th>
          <th scope="col">Why</th>
          <th scope="col">What it said</th>
        </tr>
      </thead>
      <tbody>
        {rejects.map(({ line, column, reason, row }, index) => (
          <tr key={index}>
            <FigureCell data-label="Row">{line}</FigureCell>
            <td data-label="Column">{column ?? '–'}</td>
            <td data-label="Why">{reason}</td>
            <td data-label="What it said">{row === null ? '–' : <code>{row}</code>}</td>
          </tr>
        ))}
      </tbody>
    </Table>
  );
}
