import { describe, expect, it } from 'vitest'
import { decidingCommand, decidingRun } from '@/components/alerts/deciding-run'

const run = {
  ...{ scenario: 'GET /cart?a="1"', variant: null, environment: 'm7i.large' },
  ...{ labels: { commit: '8de2d48' }, imported: { command: 'hey -z 30s http://127.0.0.1/cart' } },
}

describe('the run that decides between the commit and the machine', () => {
  it('is the commit before with the command that its file states, sent as a candidate of its series', () => {
    const found = decidingRun(run)
    if (found === null) throw new Error('a run expected')
    expect(decidingCommand(found, 'http://127.0.0.1:3000', 'shop', false)).toBe(
      [
        'git checkout 8de2d48',
        'hey -z 30s http://127.0.0.1/cart > out.txt',
        'curl -sS -T out.txt \\',
        '  "http://127.0.0.1:3000/api/v1/projects/shop/uploads/out.txt?scenario=GET+%2Fcart%3Fa%3D%221%22&environment=m7i.large&label=commit%3D8de2d48&candidate=1&gate=1"',
      ].join('\n'),
    )
    expect(decidingCommand({ ...found, variant: 'gzip' }, 'o', 'shop', true)).toContain('$TAILBOARD_TOKEN')
  })

  it('is not invented: nothing without a commit or a command, or with one that a shell would take apart', () => {
    expect(decidingRun({ ...run, labels: {} })).toBeNull()
    expect(decidingRun({ ...run, labels: { commit: '$(id)' } })).toBeNull()
    expect(decidingRun({ ...run, labels: { commit: '-f' } })).toBeNull()
    expect(decidingRun({ ...run, imported: { command: null } })).toBeNull()
    expect(decidingRun({ ...run, imported: { command: 'hey http://x\nrm -rf /' } })).toBeNull()
    expect(decidingRun({ ...run, imported: { command: 'hey http://x > y' } })).toBeNull()
  })
})
