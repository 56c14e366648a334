import { render, screen } from '@testing-library/react';
import { WhyTrust } from '@/components/record/why-trust';

const hrefs = () => screen.queryAllByRole('link').map((link) => link.getAttribute('href'));

describe('why a record can be trusted', () => {
  it('offers the entries of a portfolio and their proofs', () => {
    render(<WhyTrust reference="ann-football" isPersonal={false} isOnRecord />);
    expect(hrefs()).toEqual([
      '/ledger',
      '/portfolio/ann-football/ledger?format=csv',
      '/portfolio/ann-football/ledger?format=json',
      '/api/log/proof/portfolio/ann-football',
    ]);
  });

  it('offers none before there is an entry, and says from when', () => {
    const { container } = render(<WhyTrust reference="ann-football" isPersonal={false} isOnRecord={false} />);
    expect(hrefs()).toEqual(['/ledger']);
    expect(container.textContent).toMatch(
      /verify the record in your browser\. Once this portfolio’s first tip is published, you can take its entries from here, too\.$/,
    );
  });

  it('offers nothing of a personal portfolio', () => {
    render(<WhyTrust reference="carol-alone" isPersonal isOnRecord={false} />);
    expect(hrefs()).toEqual([]);
  });
});
