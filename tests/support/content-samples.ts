import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

const summary = 'What a page says of itself in a sentence, long enough for search engines.';

/** Pages in the form of `content/`, by their files. */
export const samples = {
  'betting-terms/overround.md': `---
term: Overround
title: What is overround?
summary: ${summary}
published: 2026-03-01
seeAlso: [margin]
---

The sum of the [implied probabilities](/betting-terms/margin) of a market.

## An example

| Price | Probability |
|---|---|
| 2.00 | 50% |
| 1.80 | 55.6% |

Read [more](https://odds.example/more).
`,
  'betting-terms/margin.md': `---
term: Margin
title: What is a margin?
summary: "Margin: ${summary}"
published: 2026-03-02
updated: 2026-03-04
---

What a book keeps.
`,
  'bookmaker-reviews/quillgate.md': `---
title: Quillgate reviewed
summary: ${summary}
published: 2026-03-03
demo: true
bookmakerId: 15
rating: 4.5
pros: [Low margins]
cons: [No bonus]
---

Quillgate is a fictional firm. It has a low [overround](/betting-terms/overround).
`,
} as const;

const packages = {
  'package.json': JSON.stringify({ dependencies: { kept: '1.0.0' } }),
  'package-lock.json': JSON.stringify({
    packages: { '': {}, 'node_modules/kept': { version: '1.0.0', license: 'MIT' } },
  }),
};

/** A folder with `content/` and the package files of a project, for as long as `body` runs. */
export async function withProject(
  files: Record<string, string>,
  body: (folder: string) => Promise<void>,
): Promise<void> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'tipledger-content-'));
  try {
    const all = {
      ...packages,
      ...Object.fromEntries(Object.entries(files).map(([name, text]) => [`content/${name}`, text])),
    };
    for (const [name, text] of Object.entries(all)) {
      mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
      writeFileSync(path.join(folder, name), text);
    }
    await body(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
