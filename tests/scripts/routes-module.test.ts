import { build } from 'esbuild'
import { expect, it } from 'vitest'
import { routesModule, withoutNext } from '../../scripts/routes-module'

it('the module of the routes has their names and files, and opens the data', () => {
  const lines = routesModule(process.cwd()).split('\n')
  expect(lines).toContain('["/healthz", () => import("./app/healthz/route")],')
  expect(lines).toContain('["/badge/[file]", () => import("./app/badge/[file]/route")],')
  expect(lines[0]).toBe("export { openOnce } from './instrumentation'")
})

it('what needs Next cannot be bundled; what draws pictures with it can, as Node finds it', async () => {
  const bundle = (contents: string) =>
    build({
      stdin: { contents },
      plugins: [withoutNext],
      ...{ bundle: true, write: false, format: 'esm', logLevel: 'silent' },
    })
  await expect(bundle("import { headers } from 'next/headers'; await headers()")).rejects.toThrow(
    'routes run without Next',
  )
  const { outputFiles } = await bundle("import { ImageResponse } from 'next/og'; new ImageResponse()")
  expect(outputFiles[0]?.text).toContain('from "next/og.js"')
})
