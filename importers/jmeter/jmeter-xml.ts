/**
 * JMeter's results as XML (a .jtl), as
 * https://github.com/apache/jmeter/blob/rel/v5.6.3/src/core/src/main/java/org/apache/jmeter/save/converters/SampleResultConverter.java
 * writes it: an element for each sample. Samples in a Transaction Controller are requests, those in a request its hops.
 * Headers, cookies and bodies are skipped.
 *
 *     <testResults version="1.2">
 *     <httpSample t="36" it="0" lt="27" ct="16" ts="1795311079661" s="true" lb="items" rc="200" rm="OK" tn="shoppers 1-1" …>
 *       <java.net.URL>http://127.0.0.1:18201/api/items</java.net.URL>
 *     </httpSample>
 */
import { ImportError } from '../../lib/errors'
import type { ImportProblem } from '../../lib/run/run'
import type { BlockRun, Bytes, RawImporter } from '../importer'
import { warmUpJitOnce } from '../samples/jit-warm-up'
import { truncatedProblem, errorAt } from '../import-problem'
import { Samples } from '../samples/samples'
import type { Wanted } from '../rows/wanted'
import { openText } from '../text/bytes'
import { decodeHead } from '../text/text-head'
import { JtlRows } from './jtl-rows'
import { JtlTags } from './jtl-tags'

/** Reads JMeter's XML. All samples of a file are one run. */
export const jmeterXml: RawImporter = {
  kind: 'raw',
  id: 'jmeter-xml',
  detect: (head) => /^\s*(?:<\?xml[^>]{0,200}\?>\s*)?<testResults\s/.test(decodeHead(head, 1_000)),
  read: readJmeterXml,
}

const tagsOfEachKind = new TextEncoder().encode(`<testResults version="1.2">
<httpSample t="36" lt="27" ct="16" ts="1795311079661" s="true" lb="items" rc="200" rm="OK" by="1" sby="2" na="1"></httpSample>
<httpSample t="3600" lt="27" ct="16" ts="1795311080661" s="false" lb="a &lt; b" rc="503" rm="No" by="1" sby="2" na="1">
<assertionResult><failureMessage>no</failureMessage></assertionResult></httpSample>
<sample t="1" ts="1795311080661" s="true" lb="x" rc="" rm=""/>`)

async function* readJmeterXml(bytes: Bytes, wanted?: Wanted): AsyncGenerator<BlockRun | ImportProblem> {
  warmUpJitOnce('jmeter-xml', (unused) => {
    const rows = new JtlRows(unused)
    new JtlTags(rows).push(tagsOfEachKind)
    unused.flush()
  })
  const rows = new JtlRows(new Samples(wanted))
  const tags = new JtlTags(rows)
  const text = await openText(bytes)
  for await (const chunk of text.bytes) tags.push(chunk)
  rows.samples.flush()
  const hint = 'Upload the whole .jtl that JMeter wrote (-l); a test that was killed leaves it without an end.'
  if (rows.samples.count === 0 && tags.unreadable > 0)
    throw new ImportError(
      'malformed',
      "JMeter's XML has no sample whose time can be read, and its success (true or false)",
      { line: tags.faultLine, hint },
    )
  if (rows.samples.count === 0)
    throw new ImportError(tags.isClosed ? 'empty' : 'truncated', "JMeter's results contain no sample of a request", {
      line: 1,
      hint,
    })
  yield await rows.buildRun('jmeter-xml', decodeXml, tags.isClosed && tags.unreadable === 0)
  if (tags.unreadable > 0)
    yield errorAt(
      'malformed',
      tags.faultLine,
      `${tags.unreadable} samples of JMeter's XML have no time that can be read, or neither true nor false as their success`,
      hint,
    )
  if (!tags.isClosed) yield truncatedProblem(null, 'the file ends within its results: more samples are missing')
}

const utf8 = new TextDecoder()
const entities: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', apos: "'", amp: '&' }

/** Text of an attribute or an element. */
function decodeXml(bytes: Uint8Array): string {
  return utf8
    .decode(bytes)
    .replaceAll('\r\n', '\n')
    .replace(
      /&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|(lt|gt|quot|apos|amp));/gi,
      (all, hex?: string, decimal?: string, name = '') => {
        if (name !== '') return entities[String(name).toLowerCase()] ?? all
        const point = hex === undefined ? Number(decimal) : parseInt(hex, 16)
        return point <= 0x10ffff ? String.fromCodePoint(point) : all
      },
    )
}
