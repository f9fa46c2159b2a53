import path from 'node:path'

/**
 * Among the folders that `npm test` prepares for all suites, the one with the sample data. Playwright's configuration
 * reads it.
 */
export const sampledFolder = (all: string): string => path.join(all, 'sampled')
