/** Where a visitor of this country finds help with gambling. */
export type FooterHelp = { name: string; url: string; telephone: string };

/** Marks where help is named for the country that the page was made for, so that a member's own is laid over it. */
export const helpMark = 'data-help';

/** How a telephone number is dialled. */
export const dialled = (telephone: string) => `tel:${telephone.replaceAll(' ', '')}`;

/** Who helps, by name and telephone; `isOwn` where it was made for whoever is looking. */
export function HelpLine({ help: { name, url, telephone }, isOwn = false }: { help: FooterHelp; isOwn?: boolean }) {
  return (
    <span {...(!isOwn && { [helpMark]: '' })}>
      <a href={url}>{name}</a>
      <span hidden={telephone === ''}>
        , <a href={dialled(telephone)}>{telephone}</a>
      </span>
    </span>
  );
}
