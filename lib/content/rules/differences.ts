/** A line of two texts laid side by side: in both, in the first alone, or in the second alone; `skipped` stands for so many lines that are the same. */
export type Difference = { kind: 'same' | 'removed' | 'added'; text: string } | { kind: 'skipped'; lines: number };

const around = 3;
// What differs in more lines than this is shown as a whole against a whole: the table of all pairs would be too large.
const mostPairs = 4_000_000;

/** How one text became the other, line by line, with three lines around each difference; empty when they are the same. */
export function differencesOf(before: string, after: string): Difference[] {
  if (before === after) return [];
  const [one, other] = [before.split('\n'), after.split('\n')];
  let start = 0;
  while (start < Math.min(one.length, other.length) && one[start] === other[start]) start += 1;
  let end = 0;
  while (end < Math.min(one.length, other.length) - start && one.at(-1 - end) === other.at(-1 - end)) end += 1;
  const same = (lines: string[]) => lines.map((text) => ({ kind: 'same' as const, text }));
  return shortened([
    ...same(one.slice(0, start)),
    ...between(one.slice(start, one.length - end), other.slice(start, other.length - end)),
    ...same(end === 0 ? [] : one.slice(-end)),
  ]);
}

type Line = Exclude<Difference, { kind: 'skipped' }>;

function between(one: string[], other: string[]): Line[] {
  const whole = (lines: string[], kind: Line['kind']) => lines.map((text) => ({ kind, text }));
  if (one.length * other.length > mostPairs) return [...whole(one, 'removed'), ...whole(other, 'added')];
  // How many lines the rests have in common, from each pair of places on.
  const width = other.length + 1;
  const common = new Uint32Array((one.length + 1) * width);
  const at = (i: number, j: number) => common[i * width + j] ?? 0;
  for (let i = one.length - 1; i >= 0; i -= 1)
    for (let j = other.length - 1; j >= 0; j -= 1)
      common[i * width + j] = one[i] === other[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
  const lines: Line[] = [];
  let [i, j] = [0, 0];
  while (i < one.length || j < other.length) {
    const [left, right] = [one[i], other[j]];
    if (left !== undefined && left === right) {
      lines.push({ kind: 'same', text: left });
      i += 1;
      j += 1;
    } else if (left !== undefined && (right === undefined || at(i + 1, j) >= at(i, j + 1))) {
      lines.push({ kind: 'removed', text: left });
      i += 1;
    } else if (right !== undefined) {
      lines.push({ kind: 'added', text: right });
      j += 1;
    }
  }
  return lines;
}

function shortened(lines: Line[]): Difference[] {
  const near = new Set<number>();
  lines.forEach(({ kind }, index) => {
    if (kind !== 'same') for (let place = index - around; place <= index + around; place += 1) near.add(place);
  });
  const shown: Difference[] = [];
  for (const [index, line] of lines.entries()) {
    const last = shown.at(-1);
    if (near.has(index)) shown.push(line);
    else if (last?.kind === 'skipped') last.lines += 1;
    else shown.push({ kind: 'skipped', lines: 1 });
  }
  return shown;
}

type Written = { title: string; summary: string; body: string; demo: boolean; facts: unknown };

/** A page as lines that can be laid beside those of another: its fields, then its text. */
export function linesOfPage({ title, summary, body, demo, facts }: Written): string {
  const more = Object.entries(facts as Record<string, unknown>)
    .sort(([one], [other]) => one.localeCompare(other))
    .map(([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`);
  return [`title: ${title}`, `summary: ${summary}`, `demo: ${String(demo)}`, ...more, '', body].join('\n');
}
