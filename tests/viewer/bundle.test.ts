import { mkdtemp, readFile, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { expect, it } from 'vitest'
import { bundleViewer } from '../../scripts/bundle-viewer'

it('gives the classes of the two scripts different names, and names no server unless it is told one', async () => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'tailboard-viewer-'))
  try {
    const html = await readFile(await bundleViewer(process.cwd(), folder, ''), 'utf8')
    const [, styles = ''] = /<style>([^]*?)<\/style>/.exec(html) ?? []
    // The rules of the bar are in both; only those of the other script have short names.
    expect(styles.match(/\.viewer_bar\b/g)?.length).toBeGreaterThan(0)
    expect(styles).toMatch(/\.\w{1,3}\{padding:10px 24px;/)
    expect(html).toContain('<meta name="tailboard-server" content="">')
    expect(html).toContain("connect-src 'none'; form-action 'none'")
  } finally {
    await rm(folder, { recursive: true })
  }
})
