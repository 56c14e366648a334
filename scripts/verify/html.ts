import { Parser } from 'htmlparser2';

/** One drawing of a curve: its path, and the labels of its scale by their height. */
export type Drawing = { path: string; scale: { label: string; y: number }[] };

/** What a page shows, in text as it is read: its first heading, its figures by their labels, its tables by their captions, its charts with what is said of each, what a tip's price is now, and all of it. */
export type ShownPage = {
  priceNow: string | null;
  charts: { label: string; drawings: Drawing[] }[];
  heading: string | null;
  figures: Map<string, string>;
  tables: Map<string, string[][]>;
  text: string;
};

const unseen = new Set(['script', 'style', 'template', 'noscript', 'svg', 'head']);
const inline = new Set(['data', 'strong', 'em', 'b', 'i', 'small', 'time', 'a', 'abbr', 'bdi', 'code', 'sup', 'sub']);

const plain = (text: string) => text.replace(/\s+/g, ' ').trim();

/** Reads what the main part of a page of HTML shows. */
export function readPage(html: string): ShownPage {
  const page: ShownPage = {
    heading: null,
    priceNow: null,
    figures: new Map(),
    tables: new Map(),
    charts: [],
    text: '',
  };
  const open: { name: string; text: string }[] = [];
  let hidden = 0;
  let label: string | null = null;
  let caption = '';
  let rows: string[][] = [];
  let all = '';
  let depth = 0;
  let chart: (ShownPage['charts'][number] & { depth: number }) | null = null;
  let drawing: Drawing | null = null;
  let tick: Drawing['scale'][number] | null = null;
  let now: { text: string; depth: number } | null = null;
  const say = (text: string) => {
    all += text;
    for (const element of open) element.text += text;
  };
  const ended: Record<string, (text: string) => void> = {
    h1: (text) => (page.heading ??= text),
    dt: (text) => (label = text),
    // The first description is the figure, what follows it a note.
    dd: (text) => {
      if (label !== null) page.figures.set(label, text);
      label = null;
    },
    caption: (text) => (caption = text),
    th: (text) => rows.at(-1)?.push(text),
    td: (text) => rows.at(-1)?.push(text),
    table: () =>
      page.tables.set(
        caption,
        rows.filter((row) => row.length > 0),
      ),
  };
  const parser = new Parser({
    onopentag(name, { role, d, y, 'aria-label': said, 'text-anchor': anchor, dy, 'data-gone': gone }) {
      depth += 1;
      if (gone !== undefined) now = { text: '', depth };
      if (role === 'img') {
        chart = { label: said ?? '', drawings: [], depth };
        page.charts.push(chart);
      }
      if (name === 'svg') chart?.drawings.push((drawing = { path: '', scale: [] }));
      if (name === 'path' && drawing) drawing.path = d ?? '';
      if (name === 'text' && drawing && anchor === 'end' && dy !== undefined)
        drawing.scale.push((tick = { label: '', y: Number(y) }));
      if (unseen.has(name)) hidden += 1;
      if (name === 'table') [caption, rows] = ['', []];
      if (name === 'tr') rows.push([]);
      if (!inline.has(name)) say(' ');
      if (name in ended) open.push({ name, text: '' });
    },
    ontext(text) {
      if (hidden === 0) say(text);
      if (tick) tick.label += text;
      if (now) now.text += text;
    },
    onclosetag(name) {
      if (unseen.has(name)) hidden -= 1;
      if (name === 'text') tick = null;
      if (name === 'svg') drawing = null;
      if (chart?.depth === depth) chart = null;
      if (now?.depth === depth) [page.priceNow, now] = [plain(now.text), null];
      depth -= 1;
      if (!inline.has(name)) say(' ');
      if (!(name in ended)) return;
      const element = open.pop();
      ended[name]?.(plain(element?.text ?? ''));
    },
  });
  parser.end(html);
  return { ...page, text: plain(all) };
}
