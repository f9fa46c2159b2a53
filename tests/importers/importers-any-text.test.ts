import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { blankRun } from '../../importers/blank-run'
import { readDocument } from '../../importers/document/document'
import { maxContextLines } from '../../importers/document/text-walk'
import type { BlockReader, TextImporter } from '../../importers/importer'
import { ImportError } from '../../lib/errors'
import { chunks, errorOf, readText, reports } from './document-text'
import { caseCount } from '../case-count'

const { hey, vegeta, wrk, lambda } = reports

/** Claims `open` and takes lines up to `close`; reports nothing without `close`. */
function fakeImporter(id: string, opening: string, closing: string): TextImporter {
  function open(): BlockReader {
    let first = 0
    let last = 0
    let isClosed = false
    return {
      push({ number, text }) {
        if (first === 0) first = number
        last = number
        isClosed = text === closing
        return isClosed ? 'last' : text === 'stop' ? 'not-mine' : 'taken'
      },
      end: () => (isClosed ? { lines: [first, last], runs: [blankRun('hey', id)], problems: [] } : null),
    }
  }
  return { kind: 'text', id, detect: ({ text }) => text === opening, open }
}

describe('the driver', () => {
  it('refuses a line that two importers claim', async () => {
    const importers = [fakeImporter('one', 'open', 'close'), fakeImporter('two', 'open', 'close')]
    expect(await errorOf(readDocument(chunks('x\nopen\nclose\n'), importers))).toMatchObject({
      code: 'ambiguous-format',
      line: 2,
    })
  })

  it('passes the lines of a false start to the others', async () => {
    const importers = [fakeImporter('greedy', 'greedy', 'never'), fakeImporter('inner', 'open', 'close')]
    const { runs } = await readDocument(chunks('greedy\n# T\nopen\nclose\nstop\nopen\nclose\n'), importers)
    expect(runs.map(({ form, context }) => [form, ...context.lines])).toEqual([
      ['inner', 3, 4],
      ['inner', 6, 7],
    ])
    expect(runs[0]?.context.headings).toEqual(['T'])
  })

  it('ends a block at the end of its fence', async () => {
    const importers = [fakeImporter('greedy', 'open', 'never'), fakeImporter('inner', 'open2', 'close')]
    const { runs } = await readDocument(chunks('```\nopen\n```\n```\nopen2\nclose\n```\n'), importers)
    expect(runs.map(({ context }) => context.lines)).toEqual([[5, 6]])
  })

  it('finds a report inside a Lambda log, and the log around it', async () => {
    const again = lambda.replace('49dc', '59dc')
    const { runs } = await readText(`${lambda}\napplication says 5\n$ hey -c 2 http://h/\n${hey}\n${again}\n`)
    expect(runs.map(({ form, requests }) => [form, requests]).sort()).toEqual([
      ['hey-text', runs.find(({ form }) => form === 'hey-text')?.requests],
      ['lambda-report', 2],
    ])
    expect(runs.find(({ form }) => form === 'hey-text')?.command).toBe('hey -c 2 http://h/')
  })

  it('keeps a bounded part of the text around the blocks, and says so', async () => {
    const noise = 'some words of a log\n'.repeat(maxContextLines)
    const { runs, problems } = await readText(`# T\n\n${vegeta}\n\n${noise}\n## Late\n\n${vegeta}\n`)
    expect(runs.map(({ proposal }) => proposal.scenario)).toEqual(['T', 'T'])
    expect(runs[1]?.context.headings).toEqual([])
    expect(problems.map(({ code, severity }) => [code, severity])).toEqual([['too-large', 'warning']])
  })
})

const noise = fc
  .array(fc.string({ unit: fc.constantFrom(...'abc XYZ019.:-#|`*_>[]()/\t'), maxLength: 40 }), { maxLength: 8 })
  .map((lines) => lines.join('\n'))
const tool = fc.constantFrom(...(['hey', 'vegeta', 'wrk', 'lambda'] as const))
const frames: Readonly<Record<string, (block: string) => string>> = {
  plain: (block) => block,
  fence: (block) => `\`\`\`text\n${block}\n\`\`\``,
  'fence in a list': (block) => `- item\n  ~~~\n${indent(block, '  ')}\n  ~~~`,
  indented: (block) => indent(block, '    '),
  quote: (block) => indent(block, '> '),
  prompt: (block) => `user@host:~$ run\n${block}\nuser@host:~$ exit`,
}

function indent(block: string, by: string): string {
  return block
    .split('\n')
    .map((line) => by + line)
    .join('\n')
}

describe('any text', () => {
  it('yields the blocks in it, wherever they are', async () => {
    const part = fc.record({ tool, frame: fc.constantFrom(...Object.keys(frames)), before: noise })
    await fc.assert(
      fc.asyncProperty(fc.array(part, { minLength: 1, maxLength: 4 }), noise, async (parts, after) => {
        const text = parts.map(({ tool, frame, before }) => `${before}\n\n${frames[frame]?.(reports[tool]) ?? ''}\n`)
        const { runs } = await readText(`${text.join('\n')}\n${after}\n`)
        const wanted = parts.map((one) => one.tool)
        for (const name of ['hey', 'vegeta', 'wrk'] as const)
          expect(runs.filter((run) => run.tool === name && run.complete).length).toBe(
            wanted.filter((one) => one === name).length,
          )
        expect(runs.some((run) => run.tool === 'lambda')).toBe(wanted.includes('lambda'))
      }),
      { numRuns: caseCount(150) },
    )
  })

  it('only ever fails with an ImportError', async () => {
    const pieces = fc.oneof(
      noise,
      fc.string({ unit: 'binary', maxLength: 60 }),
      tool.map((name) => reports[name]),
      fc
        .tuple(tool, fc.nat(2_000), fc.nat(60))
        .map(([name, at, length]) => reports[name].slice(at % 400, (at % 400) + length)),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(pieces, { maxLength: 12 }), async (parts) => {
        const result = await readText(parts.join('\n')).catch((error: unknown) => error)
        if (result instanceof Error && !(result instanceof ImportError)) throw result
      }),
      { numRuns: caseCount(300) },
    )
  })

  it.each([
    ['wrk', wrk.slice(0, wrk.indexOf('  8038 requests')), '     50%    ???'],
    ['vegeta', reports.vegeta, '...'],
    ['hey', reports.hey, '  [404]\tmany responses'],
    ['lambda', reports.lambda, 'ms\tMemory Size: 128 MB\tMax Memory Used: 58 MB'],
  ])('names a bounded number of unreadable lines of %s', async (_, report, line) => {
    const { runs, problems } = await readText(`${report.trimEnd()}\n${`${line}\n`.repeat(3_000)}`)
    expect(runs.map(({ complete }) => complete)).toEqual([false])
    expect(problems.length).toBeGreaterThan(2)
    expect(problems.length).toBeLessThan(150)
  })

  it('is read in linear time, whatever it repeats', async () => {
    const seeds = [
      'a',
      ' ',
      '# ',
      '- ',
      '|',
      '`',
      '*',
      '_',
      '[',
      '](',
      '(',
      '1',
      '1,',
      ':',
      'a:',
      '=',
      '-',
      '<',
      '"',
      "'",
    ]
    const others = [
      'http://h/',
      'hey ',
      '$ ',
      ' ms',
      '0s, ',
      '\\',
      'é',
      '1.',
      'x-',
      '**a',
      '[a](b)',
      'a b ',
      '> ',
      ' |',
      'ID: ',
    ]
    for (const seed of [...seeds, ...others]) {
      const long = seed.repeat(Math.ceil(30_000 / seed.length))
      const start = performance.now()
      await readText(
        `# T\n${long}\n- ${long}\n## ${long}\nhey ${long}\n\`\`\`\n${long}\n$ wrk ${long}\n\`\`\`\n\n${wrk}\n`,
      )
      expect(performance.now() - start, `"${seed}" repeated`).toBeLessThan(1_500)
    }
  })
})
