import js from '@eslint/js'
import reactHooks from 'eslint-plugin-react-hooks'
import tseslint from 'typescript-eslint'

const banned = {
  react: ['react', 'react-dom', 'react/*', 'react-dom/*'],
  next: ['next', 'next/*'],
  recharts: ['recharts'],
  prisma: ['@prisma/*', 'pg', '@electric-sql/*', '**/generated/**'],
  node: ['node:*'],
  db: ['**/prisma/db', '@/prisma/db'],
}
const rooms = {
  app: ['**/app/**', '@/app/*', '@/app/**'],
  components: ['**/components/**', '@/components/**'],
  prismaRoom: ['**/prisma/**', '@/prisma/**'],
  importers: ['**/importers/**', '@/importers/**', '**/importers', '@/importers'],
}

/** One import table per room (ARCHITECTURE: who may import whom). */
const table = (files, groups, ignores = []) => ({
  files,
  ignores,
  rules: {
    'no-restricted-imports': [
      'error',
      {
        patterns: groups.map((group) => ({
          group,
          message: 'This room may not import that: see CONTRIBUTING.md, "Rooms".',
        })),
      },
    ],
  },
})

export default tseslint.config(
  {
    ignores: [
      '.next*/**',
      'dist/**',
      'node_modules/**',
      '**/generated/**',
      'data/**',
      'next-env.d.ts',
      'tests/fixtures/**',
    ],
  },
  js.configs.recommended,
  ...tseslint.configs.strict,
  {
    plugins: { 'react-hooks': reactHooks },
    rules: { 'react-hooks/rules-of-hooks': 'error', 'react-hooks/exhaustive-deps': 'error' },
  },
  {
    languageOptions: {
      globals: {
        process: 'readonly',
        console: 'readonly',
        URL: 'readonly',
        Buffer: 'readonly',
        performance: 'readonly',
        setTimeout: 'readonly',
      },
    },
    rules: {
      '@typescript-eslint/no-non-null-assertion': 'error',
      '@typescript-eslint/no-unused-vars': [
        'error',
        { argsIgnorePattern: '^_', varsIgnorePattern: '^_', ignoreRestSiblings: true },
      ],
      'no-control-regex': 'off',
      'no-restricted-syntax': [
        'error',
        { selector: "JSXAttribute[name.name='dangerouslySetInnerHTML']", message: 'Render text, never HTML.' },
        {
          selector: "CallExpression[callee.object.name='Math'][callee.property.name='random']",
          message: 'Use node:crypto, or pass randomness in.',
        },
        {
          selector: "ImportDeclaration[source.value='next/link']",
          message: 'Take Link of components/ui/links/link.tsx.',
        },
        {
          selector: ":function NewExpression[callee.object.name='Intl']",
          message: 'Make it once, outside of functions: it takes fifty times as long as a use of it, and memory.',
        },
      ],
    },
  },
  {
    files: ['lib/**', 'importers/**', 'components/**', 'app/**', 'prisma/**', 'viewer/**'],
    rules: { 'no-console': 'error' },
  },
  // Pages print numbers as facts; these tables have columns of one unit, or numbers of no run and no change.
  {
    files: ['components/**/*.tsx'],
    ignores: [
      'components/{charts,facts}/**',
      'components/compare/forest-table.tsx',
      'components/alerts/alert-changes.tsx',
      'components/run/run-parts.tsx',
      'components/run/figures/{run-tables,targets-table}.tsx',
      'components/run/judgement/verdict.tsx',
      'components/trends/{all-metrics,series-view}.tsx',
    ],
    rules: {
      '@typescript-eslint/no-restricted-imports': [
        'error',
        {
          patterns: [
            {
              group: ['**/lib/format'],
              importNames: ['formatMetric', 'formatChange', 'formatInColumn'],
              message: 'Print a fact: components/facts/fact.tsx.',
            },
          ],
        },
      ],
    },
  },
  // Takes the type Markup alone, which only its functions that escape can make.
  { files: ['components/ui/markup.tsx'], rules: { 'no-restricted-syntax': 'off' } },
  // The link that all others are: it fetches nothing ahead.
  { files: ['components/ui/links/link.tsx'], rules: { 'no-restricted-syntax': 'off' } },
  table(
    ['lib/**'],
    [
      banned.react,
      banned.next,
      banned.recharts,
      banned.prisma,
      banned.node,
      rooms.app,
      rooms.components,
      rooms.prismaRoom,
      rooms.importers,
    ],
  ),
  table(
    ['importers/**'],
    [
      banned.react,
      banned.next,
      banned.recharts,
      banned.prisma,
      banned.node,
      rooms.app,
      rooms.components,
      rooms.prismaRoom,
    ],
  ),
  table(
    ['prisma/**'],
    [banned.react, banned.next, banned.recharts, banned.db, rooms.app, rooms.components, rooms.importers],
    ['prisma/queries/**', 'prisma/schema.prisma'],
  ),
  table(
    ['prisma/queries/**'],
    [banned.react, banned.next, banned.recharts, rooms.app, rooms.components, rooms.importers],
  ),
  table(
    ['components/**'],
    [banned.recharts, banned.prisma, banned.node, rooms.prismaRoom, rooms.importers, rooms.app],
    ['components/charts/plot/recharts.tsx'],
  ),
  table(
    ['components/charts/plot/recharts.tsx'],
    [banned.prisma, banned.node, rooms.prismaRoom, rooms.importers, rooms.app],
  ),
  table(['app/**'], [banned.recharts, banned.prisma, banned.db], ['app/_server/**']),
  table(
    ['app/**/page.tsx', 'app/**/layout.tsx'],
    [banned.recharts, banned.prisma, banned.db, banned.node, rooms.importers],
  ),
  table(['app/_server/**'], [banned.recharts, banned.prisma, banned.db, rooms.components]),
  // Pure parts of components: the tables of a comparison, never what draws.
  table(['cli/**'], [banned.react, banned.next, banned.recharts, banned.prisma, banned.db, rooms.prismaRoom]),
  table(['viewer/**'], [banned.next, banned.recharts, banned.prisma, banned.node, rooms.prismaRoom, rooms.app]),
  table(['scripts/**'], [banned.react, banned.recharts, rooms.components, banned.db], ['scripts/data/*.ts']),
  // They work on a database that no server has open.
  table(['scripts/data/*.ts'], [banned.react, banned.recharts, rooms.components]),
)
