import { builtinRules } from 'eslint/use-at-your-own-risk';
import next from 'eslint-config-next/core-web-vitals';
import typescript from 'eslint-config-next/typescript';

// The law of dependencies: who, may not import, because.
const database = ['kysely', 'pg', '@/lib/platform', '@/lib/*/queries', '@/lib/*/commands', 'server-only'];
const frameworks = ['next', 'react', 'react-dom'];
const doors = ['http', 'api', 'pages', 'stream', 'jobs', 'demo', 'program'].map((room) => `@/lib/${room}`);
const upward = [...doors, '@/app', '@/components'];

const behindFaces = ['schema', 'rules', 'queries', 'commands'].map((kind) => `@/lib/*/${kind}/*`);

const law = [
  [
    ['app/**', 'components/**', 'lib/**', 'scripts/**', 'worker/**', '*.ts'],
    behindFaces,
    'Others import the face of a noun, never a file behind it.',
  ],
  [
    'components/**',
    [...database, ...doors, '@/lib/feeds', '@/app'],
    'Components get data as props; only app reads it.',
  ],
  [
    'lib/platform/**',
    ['@/lib/*', '!@/lib/platform', ...upward, ...frameworks],
    'The platform knows no noun and no framework.',
  ],
  [
    'lib/!(platform|feeds|http|api|pages|stream|jobs|demo|program)/**',
    [...upward, '@/lib/feeds', ...frameworks],
    'Nouns are free of frameworks and never import upward.',
  ],
  [
    'lib/feeds/**',
    [...upward, ...frameworks, 'kysely', 'pg', '@/lib/*/queries', '@/lib/*/commands', '@/lib/platform/database'],
    'A feed reads its source and knows nothing of the database.',
  ],
  [
    'lib/*/{schema,rules}{.ts,/**}',
    [...database, '../queries', '../commands', 'node:*'],
    'Schemas and rules are pure and run anywhere.',
  ],
  ['lib/*/schema{.ts,/**}', ['@/lib/*/rules', '../rules', './rules'], 'Schemas stand below rules.'],
  ['lib/*/queries{.ts,/**}', ['@/lib/*/commands', '../commands', './commands'], 'A query never writes.'],
  ['lib/{http,api,pages,stream,jobs,demo,program}/**', ['@/app', '@/components'], 'The doors stand below the routes.'],
  ['app/**', ['kysely', 'pg', '@/lib/platform/database'], 'Routes reach the database through queries and commands.'],
  ['lib/{http,api,pages,stream}/**', ['kysely', 'pg'], 'Doors reach the database through queries and commands.'],
];

// The compiler of React takes half of the time of all rules; it has nothing to say of what holds no component, and little of tests.
const reactRules = next.flatMap(({ rules = {} }) =>
  Object.keys(rules).filter((name) => /^(react|react-hooks|jsx-a11y)\//.test(name)),
);

// A rule can be set once a file; each row of the law is a rule of its own, so that all rows that name a file hold for it.
const restricted = builtinRules.get('no-restricted-imports');
const lawRules = Object.fromEntries(law.map((_, row) => [`row-${row}`, restricted]));

const config = [
  { ignores: ['.next/', '.data/', 'node_modules/', 'next-env.d.ts', 'public/', 'test-results/', 'playwright-report/'] },
  ...next,
  ...typescript,
  {
    rules: {
      '@typescript-eslint/no-unused-vars': [
        'error',
        { argsIgnorePattern: '^_', varsIgnorePattern: '^_', ignoreRestSiblings: true },
      ],
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/consistent-type-imports': 'error',
      'no-console': 'error',
      eqeqeq: 'error',
      // Our pictures are packaged SVG of known size; there is nothing for an image service to do.
      '@next/next/no-img-element': 'off',
    },
  },
  {
    files: ['lib/**', 'scripts/**', 'tests/**'],
    rules: Object.fromEntries(reactRules.map((name) => [name, 'off'])),
  },
  // A test renders a component by itself, where there is no router to link through.
  { files: ['tests/**'], rules: { '@next/next/no-html-link-for-pages': 'off' } },
  // CommonJS has no other way.
  { files: ['**/*.cjs'], rules: { '@typescript-eslint/no-require-imports': 'off' } },
  { plugins: { law: { rules: lawRules } } },
  ...law.map(([files, group, message], row) => ({
    files: [files].flat(),
    rules: { [`law/row-${row}`]: ['error', { patterns: [{ group, message }] }] },
  })),
];

export default config;
