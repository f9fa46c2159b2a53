import path from 'node:path'

const root = import.meta.dirname
// `scripts/start.js` serves one build, `scripts/build.ts` makes one. Several developers can run `npm run dev` in one
// checkout, each with a folder of their own.
const folder = path.resolve(root, process.env.TAILBOARD_BUILD || process.env.TAILBOARD_NEXT_DIR || '.next')
const isOutside = path.relative(root, folder).startsWith('..')
// Next builds only below what it takes for the workspace, and has no other way to say what that is.
if (isOutside) process.env.NEXT_PRIVATE_OUTPUT_TRACE_ROOT = path.parse(root).root

/** @type {import('next').NextConfig} */
const nextConfig = {
  distDir: path.relative(root, folder),
  ...(isOutside ? { outputFileTracingRoot: path.parse(root).root, turbopack: { root: path.parse(root).root } } : {}),
  serverExternalPackages: [
    '@electric-sql/pglite',
    'pg',
    '@prisma/client',
    '@prisma/adapter-pg',
    '@node-rs/argon2',
    'prom-client',
    '@aws-sdk/client-s3',
  ],
  poweredByHeader: false,
  // A page is loaded when it is first asked for: 60 ms once, where loading all at the start takes half a second and 75 MB.
  experimental: { preloadEntriesOnStart: false },
  // `npm test` and `npm run check` check types, once each.
  typescript: { ignoreBuildErrors: true },
  images: { unoptimized: true },
  // Where tables of charts stood before they had one address.
  redirects: async () =>
    [
      ['runs/:id', 'tables', '1', 'over-time'],
      ['compare/:id', 'tables', '1', 'shift.over-time'],
      ['comparisons/:id', 'tables', '1', 'shift.over-time'],
      ['trends/:id', 'view', 'table', 'trend'],
    ].map(([page, key, value, table]) => ({
      source: `/p/:project/${page}`,
      has: [{ type: 'query', key, value }],
      missing: [{ type: 'query', key: 'table' }],
      destination: `/p/:project/${page}?table=${table}`,
      permanent: true,
    })),
}

export default nextConfig
