import { existsSync } from 'node:fs'

const systemBrowsers = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
]

/** A Chromium for tests: PLAYWRIGHT_CHROMIUM if set, the system's, or the one that comes with npm (Linux x64). */
export async function browserPath(): Promise<string> {
  for (const place of [process.env.PLAYWRIGHT_CHROMIUM, ...systemBrowsers]) if (place && existsSync(place)) return place
  // Makes the package also unpack the shared libraries that it needs; must be set before it is imported.
  process.env.AWS_LAMBDA_JS_RUNTIME ??= 'nodejs22.x'
  const { default: chromium } = await import('@sparticuz/chromium')
  return chromium.executablePath()
}
