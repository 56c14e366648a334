-- The texts of the site, loaded from files and then edited by staff.
create table content_page (
  id integer generated always as identity primary key,
  -- 'pages' are those that stand alone, such as about-us; every other kind is a section of the site.
  kind text not null check (kind in ('articles', 'tip-of-the-day', 'betting-guides', 'betting-scams', 'betting-terms', 'betting-strategies', 'bet-types', 'bookmaker-reviews', 'pages')),
  reference text not null check (length(reference) <= 100 and reference ~ '^[a-z0-9]+(-[a-z0-9]+)*$'),
  title text not null check (length(title) between 3 and 120),
  summary text not null check (length(summary) between 50 and 160),
  -- Markdown.
  body text not null check (length(body) between 1 and 100000),
  published_on date not null,
  updated_on date check (updated_on >= published_on),
  demo boolean not null,
  -- What only its kind has: the sport of an article, the term of a definition, the verdict of a review.
  facts jsonb not null check (jsonb_typeof(facts) = 'object'),
  -- Of what the file said that it was loaded from; null when it never was in one.
  source_hash text,
  -- True once staff have changed it: from then on its file no longer does.
  edited boolean not null default false,
  unique (kind, reference)
);
