/**
 * `npm run check` runs knip twice: with the tests, so that nothing is exported which only its own file uses (but types,
 * which say what an exported function takes and gives); and without them (`--production`), so that nothing lives which
 * only tests use.
 */
const isProduction = process.argv.includes('--production')

export default {
  entry: [
    'app/**/{page,layout,route,error,not-found}.{ts,tsx}!',
    'scripts/*.{js,ts}!',
    'scripts/data/{backup,restore,password}.ts!',
    // Bundled into dist/cli.mjs.
    'cli/process.ts!',
    // Bundled into viewer.html; the replaced ones stand for modules that components import.
    'viewer/{main,start}.tsx!',
    'viewer/replaced/*.{ts,tsx}!',
    // Threads of their own: bundled by the build, named in worker-pool.ts and database-thread.ts.
    'app/_server/uploads/upload-worker.ts!',
    'prisma/database-worker.ts!',
    'tests/**/*.{test,spec}.{ts,tsx}',
    'tests/{bench,fuzz,truth,consistency}/*.ts',
    // Bundled and run in a process of its own.
    'tests/app/read-in-child.ts',
    'tests/queries/database/{open-database,full-log-worker}.ts',
    'tests/server/openid-provider.ts',
    'tests/fault/{disk/record-uploads,disk/recorded-database-worker,open-on-postgres}.ts',
  ],
  project: ['**/*.{ts,tsx,js}!', '!tests/**!', '!tests/fixtures/**'],
  // What `prisma generate` writes takes the client; `postinstall` runs it. start.js spawns tsx for the build.
  ignoreDependencies: isProduction ? ['@prisma/client', 'prisma', 'tsx'] : ['@prisma/client'],
  ignoreExportsUsedInFile: isProduction ? true : { interface: true, type: true },
}
