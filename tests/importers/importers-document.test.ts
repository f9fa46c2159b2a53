import { describe, expect, it } from 'vitest'
import { ImportError } from '../../lib/errors'
import { errorOf, fixtureText, readText, reports } from './document-text'

const { hey, vegeta, wrk } = reports

describe('names', () => {
  it.each([
    ['# Title\n## Ping\n### Results\n#### Direct\n', 'Ping ▸ Direct'],
    ['# Title\n## Results\n', 'Title ▸ -'],
    ['# Title\n## Run 2\n', 'Title ▸ -'],
    ['# Title\n## c6i.8xlarge\n', 'Title ▸ - @ c6i.8xlarge'],
    ['# Title\n## Ping\n### EC2 c6i.8xlarge instance\n', 'Ping ▸ - @ c6i.8xlarge'],
    ['# Title\n## c6i.8xlarge\n### Small payload\n', 'Title ▸ Small payload @ c6i.8xlarge'],
    ['Title\n=====\n\nPing\n----\n', 'Title ▸ Ping'],
    ['## Only one\n', 'Only one ▸ -'],
    ['## Only one\n\n    vegeta report\n', 'Only one ▸ -'],
    ["## Only one\n$ echo 'GET http://h/ping' | vegeta attack -rate=50 | vegeta report\n", 'GET /ping ▸ Only one'],
    ["$ echo 'GET http://h/ping?x=1' | vegeta attack | vegeta report\n", 'GET /ping ▸ -'],
    ['=== small body ===\n', 'small body ▸ -'],
    ['# Title\n## Ping\n\n**Direct:**\n\n```\n', 'Ping ▸ Direct'],
    ['nothing that tells\n', '- ▸ -'],
  ])('%j', async (head, expected) => {
    const { runs } = await readText(`${head}\n${vegeta}\n`)
    const { scenario, variant, environment } = runs[0]?.proposal ?? {}
    expect(`${scenario ?? '-'} ▸ ${variant ?? '-'}${environment ? ` @ ${environment}` : ''}`).toBe(expected)
  })

  it('take the day from a heading that is a date', async () => {
    for (const date of ['2022-03-04', '[2022-03-04](https://h/commit/d823f61)', 'March 4, 2022', '4th March 2022']) {
      const { runs } = await readText(`# Title\n## ${date}\n### zlib\n\n${vegeta}\n`)
      expect(runs[0]?.startedAt).toBe('2022-03-04T00:00:00.000Z')
      expect(runs[0]?.proposal).toMatchObject({ scenario: 'Title', variant: 'zlib' })
      expect(runs[0]?.proposal.sources['startedAt']).toBe('date in the heading, line 2 (day only)')
    }
    const { runs } = await readText(`# Title\n## 2022-02-30\n\n${vegeta}\n`)
    expect(runs[0]?.startedAt).toBeNull()
  })
})

describe('commands', () => {
  it('are above the block, after a prompt, on several lines', async () => {
    const command = 'wrk -t2 \\\n    -c16 -d3s http://h/p'
    for (const prompt of ['', '$ ', '❯❯❯ ', 'user@host:~$ ', '[root@host ~]# ', '(venv) me@mac load % ', '+ ']) {
      const { runs } = await readText(`\`\`\`\n${prompt}${command}\n${wrk.replace(/@ \S+/, '@ http://h/p')}\n\`\`\`\n`)
      expect(runs[0]?.command).toBe('wrk -t2 -c16 -d3s http://h/p')
      expect(runs[0]?.method).toBe('GET')
    }
  })

  it('belong to their own section and tool', async () => {
    const { runs } = await readText(
      `# A\n## one\n\`hey -c 7 -n 70 http://h/one\`\n\n${hey}\n\n## two\n\n${hey}\n\n## three\n$ wrk -c 5 http://h/\n\n${hey}\n`,
    )
    expect(runs.map(({ command }) => command)).toEqual(['hey -c 7 -n 70 http://h/one', null, null])
    expect(runs[0]?.load).toEqual({ kind: 'closed', connections: 7 })
  })

  it('in a list apply to all only if there is just one', async () => {
    const one = '## S\n### Commands\n```\nhey -c 3 http://h/\n```\n### Results\n#### A\n\n'
    expect((await readText(`${one}${hey}\n`)).runs[0]?.command).toBe('hey -c 3 http://h/')
    const two = one.replace('http://h/', 'http://h/a\nhey -c 4 http://h/b')
    expect((await readText(`${two}${hey}\n`)).runs[0]?.command).toBeNull()
  })

  it('give rate, connections, plan and method, and leave the rest null', async () => {
    const read1 = async (command: string, block: string) => (await readText(`$ ${command}\n${block}\n`)).runs[0]
    expect((await read1('echo "POST http://h/x" | vegeta attack -rate=6000/m -duration 5s', vegeta))?.load).toEqual({
      kind: 'open',
      ratePerSecond: 100,
    })
    expect((await read1('vegeta attack -rate=0 -max-workers=5 -targets=t.txt', vegeta))?.load).toEqual({
      kind: 'open',
      ratePerSecond: null,
    })
    const run = await read1('hey -z 30s -q 10 -m put -H "X-A: b" -c 8 http://h/x', hey)
    expect(run?.method).toBe('PUT')
    expect(run?.measures).toContainEqual({ name: 'planned-duration', value: 30_000, unit: 'ms', line: 1 })
    expect(run?.measures).toContainEqual({ name: 'worker-rate-limit', value: 10, unit: 'requests/s', line: 1 })
    expect((await read1('./hey http://h/x -n 5', hey))?.load).toEqual({ kind: 'closed', connections: null })
  })

  it('are not built from prose', async () => {
    const { runs } = await readText(
      `# T\nWe ran hey (https://github.com/rakyll/hey) -c 50.\n- wrk https://h/wrk\n\n${hey}\n`,
    )
    expect(runs[0]?.command).toBeNull()
  })
})

describe('remarks', () => {
  it('about a variant apply to it alone, despite blanks and case; those about all to all', async () => {
    const text = `## S\n- AlphaOne:\n  - 20 instances\n- beta two:\n  - 3 instances\n- 512 MB memory\n\n### Alpha One\n\n${vegeta}\n\n### Beta-Two\n\n${vegeta}\n`
    const { runs } = await readText(text)
    expect(runs.map(({ proposal }) => proposal.labels)).toEqual([
      { memory: '512 MB', instances: '20' },
      { memory: '512 MB', instances: '3' },
    ])
  })

  it('in a Setup apply below it, in a conclusion also above it, in another section never', async () => {
    const text = `# T\n## A\n- 1 instance\n\n${vegeta}\n\n## Setup\n- Region: eu-north-1\n- Memory: 1 GB\n\n## B\n\n${vegeta}\n\n## Conclusion\nB wins.\n`
    const [a, b] = (await readText(text)).runs
    expect(a?.proposal).toMatchObject({ environment: null, labels: { instances: '1' } })
    expect(b?.proposal).toMatchObject({ environment: 'eu-north-1 1 GB', labels: {} })
    expect([a, b].map((run) => run?.context.notes)).toEqual([
      [{ text: 'B wins.', line: expect.any(Number) }],
      [{ text: 'B wins.', line: expect.any(Number) }],
    ])
  })

  it('about an unknown subject become notes under the name above them', async () => {
    const { runs } = await readText(`## S\n- Client:\n  - 4 instances\n\n${vegeta}\n`)
    expect(runs[0]?.proposal.labels).toEqual({})
    expect(runs[0]?.context.notes).toEqual([{ text: 'Client: 4 instances', line: 3 }])
  })

  it('that a variant was not possible become notes in its cell, unless it has a run', async () => {
    const text = (other: string) => `# T\n## S\n- Two:\n  - Not possible (no HTTP/2)\n### One\n\n${vegeta}\n${other}`
    expect((await readText(text(''))).cellNotes).toEqual([
      { scenario: 'S', variant: 'Two', environment: null, text: 'not possible: no HTTP/2', line: 4 },
    ])
    expect((await readText(text(`### Two\n\n${vegeta}\n`))).cellNotes).toEqual([])
  })
})

describe('unread lines', () => {
  it('are listed: lines that resemble results, tables of other figures, other tools', async () => {
    const table = '| a | b |\n| --- | --- |\n| x | 1.5 |\n'
    const { problems } = await readText(
      `# T\n\n${table}\n\`\`\`\nBucket           #     %\n[0s,     2ms]    0     0.00%\n[2ms,    4ms]    5     70.00%\n\`\`\`\n\n${vegeta}\n\nLifting the server siege...\n`,
    )
    expect(problems.map(({ code, line, lastLine }) => [code, line, lastLine])).toEqual([
      ['not-imported', 3, 5],
      ['not-understood', 9, 10],
      ['foreign-tool', 22, null],
    ])
  })

  it('are refused by name if there is nothing else', async () => {
    for (const [file, name] of [
      ['gatling-stats.txt', 'Gatling'],
      ['artillery.txt', 'Artillery'],
      ['plow.txt', 'plow'],
    ]) {
      const error = await errorOf(readText(fixtureText(`foreign/${file}`)))
      expect(error).toBeInstanceOf(ImportError)
      expect(error).toMatchObject({ code: 'unknown-format', message: expect.stringContaining(name ?? '') })
    }
    expect(await errorOf(readText(''))).toMatchObject({ code: 'empty' })
    expect(await errorOf(readText(' \n\n'))).toMatchObject({ code: 'empty' })
    expect(await errorOf(readText('hello\n'))).toMatchObject({ code: 'unknown-format' })
  })
})
