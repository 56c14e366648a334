import { readFileSync } from 'node:fs';
import { act, fireEvent, render, screen, within } from '@testing-library/react';
import { Wallet } from 'lucide-react';
import { Badge } from '@/components/ui/badge';
import { Breadcrumb } from '@/components/ui/breadcrumb';
import { Button } from '@/components/ui/button';
import { ButtonLink } from '@/components/ui/button-link';
import { EmptyState } from '@/components/ui/empty-state';
import { FigureCell } from '@/components/ui/figure-cell';
import { FigureHead } from '@/components/ui/figure-head';
import { Html } from '@/components/ui/html';
import { Icon } from '@/components/ui/icon';
import { LinkTabs } from '@/components/ui/link-tabs';
import { Profit } from '@/components/ui/profit';
import { SectionHeading } from '@/components/ui/section-heading';
import { SportIcon } from '@/components/ui/sport-icon';
import { Stat } from '@/components/ui/stat';
import { Stats } from '@/components/ui/stats';
import { Table } from '@/components/ui/table';
import { Time } from '@/components/ui/time';
import { useForm } from '@/components/ui/use-form';
import type { SafeHtml } from '@/lib/content/schema';
import { sportIconPixels } from '@/lib/reference/schema/sports';

describe('a button', () => {
  it('does not submit the form around it unless told to', () => {
    render(<Button>Cancel</Button>);
    expect(screen.getByRole('button', { name: 'Cancel' })).toHaveAttribute('type', 'button');
  });

  it('acts when pressed and not when disabled', () => {
    const press = jest.fn();
    const { rerender } = render(<Button onClick={press}>Follow</Button>);
    fireEvent.click(screen.getByRole('button', { name: 'Follow' }));
    rerender(
      <Button onClick={press} disabled>
        Follow
      </Button>,
    );
    fireEvent.click(screen.getByRole('button', { name: 'Follow' }));
    expect(press).toHaveBeenCalledTimes(1);
  });

  it('that leads somewhere is a link', () => {
    render(<ButtonLink href="/register">Sign up</ButtonLink>);
    expect(screen.getByRole('link', { name: 'Sign up' })).toHaveAttribute('href', '/register');
    expect(screen.queryByRole('button')).not.toBeInTheDocument();
  });
});

describe('a form', () => {
  const submit = jest.fn<Promise<void>, []>(async () => undefined);
  function Form() {
    const { form, problem } = useForm(submit);
    return (
      <form {...form}>
        {problem.message && <p role="alert">{problem.message}</p>}
        <input aria-label="Amount" name="amount" required data-missing="Enter an amount." />
        <input type="checkbox" aria-label="Mine" />
        <button type="submit">Send</button>
      </form>
    );
  }
  beforeEach(() => submit.mockReset());

  it('says for the whole of it what is refused and no field shows, so that no press is without an answer', async () => {
    render(<Form />);
    await act(async () => void fireEvent.click(screen.getByRole('button')));
    expect(screen.getByRole('alert')).toHaveTextContent('Enter an amount.');
    expect(submit).not.toHaveBeenCalled();
  });

  it('is sent once by a double click, whose second press comes after the answer', async () => {
    render(<Form />);
    fireEvent.change(screen.getByLabelText('Amount'), { target: { value: '1' } });
    await act(async () => void fireEvent.click(screen.getByRole('button'), { detail: 1 }));
    await act(async () => void fireEvent.click(screen.getByRole('button'), { detail: 2 }));
    expect(submit).toHaveBeenCalledTimes(1);
    fireEvent.click(screen.getByRole('checkbox'), { detail: 2 });
    expect(screen.getByRole('checkbox')).toBeChecked();
    await act(async () => void fireEvent.click(screen.getByRole('button'), { detail: 1 }));
    expect(submit).toHaveBeenCalledTimes(2);
  });

  it('gives the focus back to what sent it, which the browser takes from a button that is disabled meanwhile', async () => {
    render(<Form />);
    fireEvent.change(screen.getByLabelText('Amount'), { target: { value: '1' } });
    const button = screen.getByRole('button');
    button.focus();
    submit.mockImplementationOnce(async () => button.blur());
    await act(async () => void fireEvent.click(button));
    expect(button).toHaveFocus();
    submit.mockImplementationOnce(async () => screen.getByRole('checkbox').focus());
    await act(async () => void fireEvent.click(button));
    expect(screen.getByRole('checkbox')).toHaveFocus();
  });
});

describe('a table', () => {
  const table = (captionHidden: boolean) => (
    <Table caption="Best odds" captionHidden={captionHidden} stickyFirstColumn>
      <thead>
        <tr>
          <th scope="col">Match</th>
          <FigureHead>Home</FigureHead>
        </tr>
      </thead>
      <tbody>
        <tr>
          <th scope="row">Arsenal v Everton</th>
          <FigureCell>1.91</FigureCell>
        </tr>
      </tbody>
    </Table>
  );

  it.each([false, true])(
    'is named by its caption, hidden or not (%s), and so is the region that scrolls',
    (captionHidden) => {
      render(table(captionHidden));
      const region = screen.getByRole('region', { name: 'Best odds' });
      expect(region).toHaveAttribute('tabindex', '0');
      expect(within(region).getByRole('table', { name: 'Best odds' })).toBeInTheDocument();
    },
  );

  it('keeps header cells and figures apart', () => {
    render(table(false));
    expect(screen.getByRole('columnheader', { name: 'Home' })).toBeInTheDocument();
    expect(screen.getByRole('cell', { name: '1.91' })).toBeInTheDocument();
  });
});

describe('tabs that are links', () => {
  const tabs = [
    { href: '/football', title: 'Tips', count: 45 },
    { href: '/football/results', title: 'Results' },
  ];

  it.each(['tabs', 'segments'] as const)('mark the current page, drawn as %s', (look) => {
    render(<LinkTabs label="Football" tabs={tabs} activeHref="/football/results" look={look} />);
    const nav = screen.getByRole('navigation', { name: 'Football' });
    expect(within(nav).getByRole('link', { name: 'Results' })).toHaveAttribute('aria-current', 'page');
    expect(within(nav).getByRole('link', { name: 'Tips 45' })).not.toHaveAttribute('aria-current');
  });
});

describe('a breadcrumb', () => {
  it('lists the way and ends, without a link, where the reader is', () => {
    render(<Breadcrumb trail={[{ href: '/', title: 'Home' }]} here="Football" />);
    const items = within(screen.getByRole('navigation', { name: 'Breadcrumb' })).getAllByRole('listitem');
    expect(items.map((item) => item.textContent)).toEqual(['Home', 'Football']);
    expect(items[1]).toHaveAttribute('aria-current', 'page');
    expect(screen.queryByRole('link', { name: 'Football' })).not.toBeInTheDocument();
  });
});

describe('profit and loss', () => {
  it('differ by shape as well as by sign and colour', () => {
    const sheet = readFileSync('components/ui/profit.module.scss', 'utf8');
    const shapes = (['profit', 'loss', 'level'] as const).map((sign) => {
      const { container, unmount } = render(<Profit sign={sign}>+1.00</Profit>);
      expect(container.firstElementChild).toHaveClass(sign);
      unmount();
      return new RegExp(`\\.${sign}::before \\{\\s*clip-path: (polygon\\([^)]+\\))`).exec(sheet)?.[1];
    });
    expect(new Set(shapes).size).toBe(3);
    expect(shapes).not.toContain(undefined);
  });

  it('are read as the figure alone', () => {
    render(<Profit sign="loss">−7.11</Profit>);
    expect(screen.getByText('−7.11')).toHaveTextContent(/^−7\.11$/);
    expect(screen.queryByRole('img')).not.toBeInTheDocument();
  });
});

describe('small pieces', () => {
  it('a section heading stands at the level asked for', () => {
    render(
      <SectionHeading level={3} id="odds" aside={<a href="/">All</a>}>
        Odds
      </SectionHeading>,
    );
    expect(screen.getByRole('heading', { level: 3, name: 'Odds' })).toHaveAttribute('id', 'odds');
    expect(screen.getByRole('link', { name: 'All' })).toBeVisible();
  });

  it('an empty state says what is missing and what to do next', () => {
    render(
      <EmptyState
        icon={<Icon of={Wallet} />}
        title="No tips yet"
        action={<ButtonLink href="/">See all sports</ButtonLink>}
      >
        <p>They come before the start.</p>
      </EmptyState>,
    );
    expect(screen.getByText('No tips yet')).toBeVisible();
    expect(screen.getByText('They come before the start.')).toBeVisible();
    expect(screen.getByRole('link', { name: 'See all sports' })).toHaveAttribute('href', '/');
  });

  it('a statistic pairs its label with its figure and note', () => {
    render(
      <Stats>
        <Stat label="Tips" note="in 2026">
          1,204
        </Stat>
      </Stats>,
    );
    expect(screen.getByRole('term')).toHaveTextContent('Tips');
    expect(screen.getAllByRole('definition').map((node) => node.textContent)).toEqual(['1,204', 'in 2026']);
  });

  it('a time carries the moment for machines', () => {
    render(<Time dateTime="2026-11-21T15:00:00Z">15:00</Time>);
    expect(screen.getByRole('time')).toHaveAttribute('datetime', '2026-11-21T15:00:00Z');
  });

  it('an icon is silent', () => {
    const { container } = render(<Icon of={Wallet} />);
    expect(screen.queryByRole('img')).not.toBeInTheDocument();
    expect(container.querySelector('[aria-hidden="true"]')).toBeInTheDocument();
  });

  it('a sport icon is 20 by 20 and decoration', () => {
    const { container } = render(<SportIcon src="/images/sports/golf.svg" />);
    expect(screen.queryByRole('img')).not.toBeInTheDocument();
    expect(container.querySelector('img')).toHaveAttribute('width', String(sportIconPixels));
    expect(container.querySelector('img')).toHaveAttribute('height', String(sportIconPixels));
  });

  it('a badge keeps its words in reach of assistive technology', () => {
    render(
      <Badge tone="notice" icon={<Icon of={Wallet} size="small" />}>
        Offline
      </Badge>,
    );
    expect(screen.getByText('Offline')).toBeVisible();
  });

  it('safe markup becomes elements', () => {
    render(<Html html={'<p>Odds <strong>explained</strong></p>' as SafeHtml} />);
    expect(screen.getByText('explained').tagName).toBe('STRONG');
  });
});
