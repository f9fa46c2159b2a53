import { cpSync, existsSync, mkdtempSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'

/** Among the folders that `npm test` prepares for all suites, the one with the sample data. */
export const sampledFolder = (all: string): string => path.join(all, 'sampled')

/**
 * An empty data folder for a server of Playwright's tests, or within `npm test` what the first start makes of one:
 * tests/server/start.test.ts waited for that. The caller removes it.
 */
export function makeFolderForBrowser(name: string): string {
  const folder = mkdtempSync(path.join(os.tmpdir(), `tailboard-${name}-`))
  const sampled = sampledFolder(process.env.TAILBOARD_TEST_FOLDERS ?? folder)
  if (existsSync(sampled)) cpSync(sampled, folder, { recursive: true })
  return folder
}
