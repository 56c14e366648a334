import { Notebook } from 'lucide-react';
import { Badge } from '@/components/ui/badge';
import { Breadcrumb } from '@/components/ui/breadcrumb';
import { Button } from '@/components/ui/button';
import { ButtonLink } from '@/components/ui/button-link';
import { CardRow } from '@/components/ui/card-row';
import { EmptyState } from '@/components/ui/empty-state';
import { Field } from '@/components/ui/field';
import { FieldCheck } from '@/components/ui/field-check';
import { FigureCell } from '@/components/ui/figure-cell';
import { FigureHead } from '@/components/ui/figure-head';
import { FormMessage } from '@/components/ui/form-message';
import { Html } from '@/components/ui/html';
import { Icon } from '@/components/ui/icon';
import { LinkTabs } from '@/components/ui/link-tabs';
import { Pager } from '@/components/ui/pager';
import { PasswordField } from '@/components/ui/password-field';
import { Profit } from '@/components/ui/profit';
import { SectionHeading } from '@/components/ui/section-heading';
import { Select } from '@/components/ui/select';
import { Stat } from '@/components/ui/stat';
import { Stats } from '@/components/ui/stats';
import { SportIcon } from '@/components/ui/sport-icon';
import { Table } from '@/components/ui/table';
import { TextArea } from '@/components/ui/text-area';
import { Time } from '@/components/ui/time';
import { sportIcon } from '@/lib/pages/sport-icon';
import { renderArticle } from '@/lib/content/rules';
import { DialogSample } from './dialog-sample';
import styles from '../page.module.scss';

const longName = 'Borussia Mönchengladbach Reserves versus Wolverhampton Wanderers Under-Twenty-Threes';
const prose =
  '## A heading of an article\n\nA paragraph with a [link](/), *stress* and **weight**.\n\n- One point\n- Another\n\n> A quotation.\n\n| Odds | Chance |\n|---|---:|\n| 2.00 | 50% |\n';
const tones = ['plain', 'quiet', 'accent', 'notice', 'profit', 'loss'] as const;

export function Words({ theme }: { theme: string }) {
  return (
    <>
      <Breadcrumb
        trail={[
          { href: '/', title: 'Home' },
          { href: '/football', title: 'Football' },
        ]}
        here={longName}
      />
      <SectionHeading id={`${theme}-heading`} aside="12 matches">
        A section and what stands beside it
      </SectionHeading>
      <p>
        Running text with a <a href="#primitives">link</a>, <strong>strong words</strong>, <em>stressed words</em>,{' '}
        <code>code</code> and a <Time dateTime="2026-11-21T15:00:00Z">time, 15:00</Time>.
      </p>
      <p className={styles.row}>
        {tones.map((tone) => (
          <Badge key={tone} tone={tone}>
            {tone}
          </Badge>
        ))}
        <Badge tone="accent" icon={<Icon of={Notebook} size="small" />}>
          with an icon
        </Badge>
      </p>
      <p className={styles.row}>
        <SportIcon {...sportIcon({ reference: 'football' })} /> Football
      </p>
      <Html html={renderArticle(prose).html} />
    </>
  );
}

export function Actions({ theme }: { theme: string }) {
  return (
    <>
      {(['medium', 'small'] as const).map((size) => (
        <p key={size} className={styles.row}>
          {(['primary', 'secondary', 'quiet'] as const).map((look) => (
            <Button key={look} look={look} size={size}>
              {look}
            </Button>
          ))}
          <Button size={size} disabled>
            disabled
          </Button>
          <ButtonLink href="#primitives" look="secondary" size={size}>
            a link
          </ButtonLink>
        </p>
      ))}
      {(['tabs', 'segments', 'jumps'] as const).map((look) => (
        <LinkTabs
          key={look}
          label={`${theme} ${look}`}
          look={look}
          activeHref="#two"
          tabs={[
            { href: '#one', title: 'One' },
            { href: '#two', title: 'Two', count: 2 },
            { href: '#three', title: longName },
          ]}
        />
      ))}
      <Pager back={{ href: '#back', title: 'Earlier' }} on={{ href: '#on', title: 'Later' }} />
    </>
  );
}

export function Figures() {
  return (
    <>
      <Stats>
        <Stat label="Profit" note="of 120 tips">
          <Profit sign="profit">+12.40</Profit>
        </Stat>
        <Stat label="Loss">
          <Profit sign="loss">−3.10</Profit>
        </Stat>
        <Stat label="Level">
          <Profit sign="level">0.00</Profit>
        </Stat>
      </Stats>
      {(['scroll', 'stack'] as const).map((narrow) => (
        <Table
          key={narrow}
          caption={`A table with a long name, to ${narrow}`}
          stickyFirstColumn={narrow === 'scroll'}
          narrow={narrow}
        >
          <thead>
            <tr>
              <th scope="col">Fixture</th>
              <FigureHead>Odds</FigureHead>
            </tr>
          </thead>
          <tbody>
            {['Rovers v Town', longName].map((name) => (
              <tr key={name}>
                <th scope="row">{name}</th>
                <FigureCell data-label="Odds">2.10</FigureCell>
              </tr>
            ))}
          </tbody>
          <tfoot>
            <tr>
              <th scope="row">Together</th>
              <FigureCell data-label="Odds">4.41</FigureCell>
            </tr>
          </tfoot>
        </Table>
      ))}
      {(['grid', 'list'] as const).map((look) => (
        <CardRow key={look} label={look} look={look}>
          {['Rovers v Town', longName].map((name) => (
            <li key={name}>{name}</li>
          ))}
        </CardRow>
      ))}
    </>
  );
}

export function Forms({ theme }: { theme: string }) {
  return (
    <form className={styles.form} aria-label={`${theme} form`}>
      <FormMessage kind="success">What was asked for is done.</FormMessage>
      <FormMessage kind="error">It could not be done. Say what to do next.</FormMessage>
      <Field name={`${theme}-empty`} label="An empty field" hint="What is meant by it." placeholder="Placeholder" />
      <Field
        name={`${theme}-wrong`}
        label="A field in error"
        error="Enter an address such as ann@example.org."
        defaultValue="ann@"
      />
      <Field name={`${theme}-off`} label="A field that is off" disabled defaultValue="Nothing to change" />
      <TextArea name={`${theme}-text`} label="Several lines" defaultValue={longName} />
      <PasswordField name={`${theme}-password`} label="A password" autoComplete="off" />
      <Select
        name={`${theme}-select`}
        label="A choice"
        choices={[
          { value: 1, title: 'First' },
          { value: 2, title: longName },
        ]}
      />
      <FieldCheck name={`${theme}-check`} label="A box to tick" defaultChecked />
      <FieldCheck name={`${theme}-unticked`} label="A box that must be ticked" error="Tick it to go on." />
    </form>
  );
}

export function States() {
  return (
    <>
      <DialogSample />
      <EmptyState
        icon={<Icon of={Notebook} size="large" />}
        title="Nothing is here yet"
        action={<ButtonLink href="#primitives">What to do</ButtonLink>}
      >
        Why it is empty, and when that changes.
      </EmptyState>
    </>
  );
}
