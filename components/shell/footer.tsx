import { ButtonLink } from '../ui/button-link';
import { SiteLink } from '../ui/site-link';
import { Care } from './care';
import styles from './footer.module.scss';
import type { FooterHelp } from '../ui/help-line';
import { ZoneName } from '../formats/zone-name';

export type FooterLinks = { title: string; links: { href: string; title: string }[] };

type FooterProps = { help?: FooterHelp | null; links?: FooterLinks[] };

export function Footer({ help, links = [] }: FooterProps) {
  return (
    <footer className={styles.footer}>
      <section className={styles.join} aria-labelledby="footer-join">
        <div>
          <h2 id="footer-join">Follow tipsters and track your bets</h2>
          <p>A free account keeps your tipsters, your bet slip and your results.</p>
        </div>
        <ButtonLink href="/register" look="secondary">
          Sign up
        </ButtonLink>
      </section>
      <div className={styles.columns}>
        <div className={styles.about}>
          <p className={styles.name}>Tipledger</p>
          <p>
            A marketplace for sports betting tips. Every tip is recorded before the start, with its odds, and stays on
            the record.
          </p>
          <p>
            All times are <ZoneName name="UK time" />.
          </p>
        </div>
        {links.map((group) => (
          <nav key={group.title} aria-label={group.title}>
            <h2>{group.title}</h2>
            <ul>
              {group.links.map((link) => (
                <li key={link.href}>
                  <SiteLink href={link.href}>{link.title}</SiteLink>
                </li>
              ))}
            </ul>
          </nav>
        ))}
        <Care help={help}>
          <button type="button" className={styles.consent} data-cc="show-preferencesModal">
            Cookie settings
          </button>
        </Care>
      </div>
    </footer>
  );
}
