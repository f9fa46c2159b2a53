import { expect, it } from 'vitest'
import { ImportError } from '@/lib/errors'
import { runsOf } from '../read-fixture'

const rows = (label: string) => `<testResults version="1.2">
<httpSample t="3" lt="2" ct="1" ts="1795311080661" s="true" lb="${label}" rc="200" rm="OK" by="1" sby="2" na="1"/>
</testResults>
`

it('resolves no entity but the five of XML', async () => {
  const [run] = await runsOf({ text: `<?xml version="1.0" encoding="UTF-8"?>\n${rows('&file; &amp; &e9;')}` })
  expect(run?.targets?.map(({ url }) => url)).toEqual(['&file; & &e9;'])
})

it('reads no document that defines entities', async () => {
  const bomb = Array.from({ length: 9 }, (_, at) => `<!ENTITY e${at + 1} "${`&e${at};`.repeat(10)}">`).join('')
  const doctype = `<!DOCTYPE testResults [<!ENTITY file SYSTEM "file:///etc/passwd"><!ENTITY e0 "ha">${bomb}]>`
  const text = `<?xml version="1.0" encoding="UTF-8"?>\n${doctype}\n${rows('&file; &e9;')}`
  await expect(runsOf({ text })).rejects.toThrow(ImportError)
})
