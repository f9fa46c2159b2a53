import path from 'node:path'

/** Of the folders that `npm test` has made for all suites, the one with the sample data. Playwright's configuration reads it. */
export const sampledFolder = (all: string): string => path.join(all, 'sampled')
