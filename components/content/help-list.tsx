import { HelpLine } from '../ui/help-line';
import { SectionHeading } from '../ui/section-heading';
import { Table } from '../ui/table';

type HelpListProps = { lines: readonly { country: string; name: string; url: string; telephone: string }[] };

/** Product §9: who helps with gambling in each country where somebody is named. */
export function HelpList({ lines }: HelpListProps) {
  return (
    <section aria-labelledby="help-by-country">
      <SectionHeading id="help-by-country">Help by country</SectionHeading>
      <Table caption="Help with gambling, by country" captionHidden>
        <thead>
          <tr>
            <th scope="col">Country</th>
            <th scope="col">Service</th>
          </tr>
        </thead>
        <tbody>
          {lines.map(({ country, ...line }) => (
            <tr key={country}>
              <th scope="row">{country}</th>
              <td>
                <HelpLine help={line} isOwn />
              </td>
            </tr>
          ))}
        </tbody>
      </Table>
    </section>
  );
}
