import { defineConfig } from 'vitest/config'
import { baselineWasm } from './tests/baseline-wasm'

export default defineConfig({
  resolve: { alias: { '@': import.meta.dirname } },
  test: {
    setupFiles: 'tests/case-count.ts',
    // Compiled files are kept in node_modules: the next suite, and the next run, only compile what has changed.
    experimental: { fsModuleCache: true },
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: [
            'tests/*.test.ts',
            'tests/{importers,lib,components,app,scripts,cli,viewer,consistency/rules}/**/*.test.{ts,tsx}',
          ],
          // No verdict on speed: a busy machine is slow.
          testTimeout: 120_000,
          // Loading the importers again for each file takes longer than most files.
          isolate: false,
          // The default leaves a core alone: of two, half.
          maxWorkers: '100%',
        },
      },
      {
        extends: true,
        test: {
          name: 'queries',
          include: ['tests/queries/**/*.test.ts'],
          globalSetup: 'tests/shared-databases.ts',
          // No verdict on speed here, either.
          testTimeout: 300_000,
          hookTimeout: 300_000,
          // Each file has databases of its own.
          maxWorkers: 2,
          execArgv: [baselineWasm],
          isolate: false,
          retry: process.env.CI ? 1 : 0,
        },
      },
      {
        // The real server, as `npm start` runs it; needs the build.
        extends: true,
        test: {
          name: 'server',
          include: [
            'tests/{server,fault,hostile}/**/*.test.ts',
            'tests/consistency/*.test.ts',
            'tests/bench/small/*.test.ts',
          ],
          globalSetup: ['tests/shared-databases.ts', 'tests/shared-servers.ts'],
          testTimeout: 300_000,
          hookTimeout: 120_000,
          // Each file has a server and a data folder of its own, and waits for it much of the time.
          maxWorkers: 3,
          // After the others, where a command names both: they have another number of workers.
          sequence: { groupOrder: 1 },
          execArgv: [baselineWasm],
          isolate: false,
          retry: process.env.CI ? 1 : 0,
        },
      },
    ],
  },
})
