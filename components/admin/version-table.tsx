import { formatDate } from '@/lib/format';
import type { ContentKind, ContentVersion } from '@/lib/content/schema';
import { routes } from '@/lib/routes';
import { Badge } from '../ui/badge';
import { SiteLink } from '../ui/site-link';
import { Table } from '../ui/table';
import { Time } from '../ui/time';
import { draftMoment } from '@/lib/content/schema';

type VersionTableProps = {
  kind: ContentKind;
  reference: string;
  versions: readonly ContentVersion[];
  timeZone: string;
};

const states = {
  draft: { tone: 'plain', words: 'Draft' },
  waiting: { tone: 'notice', words: 'Waiting' },
  published: { tone: 'profit', words: 'Published' },
  superseded: { tone: 'plain', words: 'Overtaken' },
  withdrawn: { tone: 'loss', words: 'Withdrawn' },
} as const;

/** The versions of a page, the newest first: who wrote each, why, and what became of it. */
export function VersionTable({ kind, reference, versions, timeZone }: VersionTableProps) {
  const moment = (at: string) => <Time dateTime={at}>{formatDate(at, { timeZone, style: 'day-time' })}</Time>;
  return (
    <Table caption="Versions" narrow="stack">
      <thead>
        <tr>
          <th scope="col">Version</th>
          <th scope="col">State</th>
          <th scope="col">Who</th>
          <th scope="col">Why</th>
          <th scope="col">Written</th>
          <th scope="col">Public at</th>
        </tr>
      </thead>
      <tbody>
        {versions.map(({ version, state, author, reason, madeAt, publishAt, followsFile, takesOff }) => (
          <tr key={version}>
            <th scope="row">
              <SiteLink href={routes.staffContent(kind, reference, version)}>Version {version}</SiteLink>
              {followsFile && ' (the file)'}
              {takesOff && ' (taken off the site)'}
            </th>
            <td data-label="State">
              <Badge tone={states[state].tone}>{states[state].words}</Badge>
            </td>
            <td data-label="Who">{author}</td>
            <td data-label="Why">{reason}</td>
            <td data-label="Written">{moment(madeAt)}</td>
            <td data-label="Public at">{publishAt === draftMoment ? '–' : moment(publishAt)}</td>
          </tr>
        ))}
      </tbody>
    </Table>
  );
}
