import { rmSync } from 'node:fs'
import { defineConfig } from '@playwright/test'
import { browserPath } from './tests/browser'
import { makeFolderForBrowser } from './tests/sampled-folder'

const port = Number(process.env.TAILBOARD_E2E_PORT ?? 3177)
// Workers load this file too: the folder is made once and handed on.
process.env.TAILBOARD_E2E_DATA ??= makeDataFolder()
const resultFile = process.env.PLAYWRIGHT_JSON_OUTPUT_NAME

/** It is removed when this process ends, after the server in it. */
function makeDataFolder(): string {
  const folder = makeFolderForBrowser('e2e')
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  return folder
}

export default defineConfig({
  testDir: 'tests/e2e',
  outputDir: 'tests/e2e/.results',
  // Each test makes projects of its own and only reads the samples; those that follow on each other say so (serial).
  // Each waits for the network to be silent now and then: three keep two cores busy.
  workers: 3,
  fullyParallel: true,
  timeout: 60_000,
  expect: { timeout: 10_000 },
  forbidOnly: Boolean(process.env.CI),
  // A shared build machine stalls now and then; what passes only the second time is printed as flaky.
  retries: process.env.CI ? 1 : 0,
  reporter: resultFile ? [['list'], ['json', { outputFile: resultFile }]] : 'list',
  use: {
    baseURL: `http://127.0.0.1:${port}`,
    launchOptions: {
      executablePath: await browserPath(),
      args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
    },
    permissions: ['clipboard-read', 'clipboard-write'],
  },
  webServer: {
    command: `${process.execPath} scripts/start.js`,
    url: `http://127.0.0.1:${port}/healthz`,
    timeout: 180_000,
    gracefulShutdown: { signal: 'SIGTERM', timeout: 30_000 },
    env: { TAILBOARD_DATA: process.env.TAILBOARD_E2E_DATA, PORT: String(port), NEXT_TELEMETRY_DISABLED: '1' },
  },
})
