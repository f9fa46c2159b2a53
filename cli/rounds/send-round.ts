import path from 'node:path'
import * as z from 'zod'
import type { Plan } from '@/lib/experiment/experiment'
import { readPair } from '@/lib/text'
import { printable, type Terminal } from '../terminal'
import { postFile, uploadAddress } from '../upload'
import { UsageError } from '../usage'
import { fileName, type MeasuredRound } from './round-runner'

export const uploadOptions = {
  to: { type: 'string' },
  project: { type: 'string' },
  scenario: { type: 'string' },
  environment: { type: 'string' },
  names: { type: 'string' },
  label: { type: 'string', multiple: true },
} as const

/** Where the runs of finished rounds are sent, and under which names. */
export const uploadSchema = z.object({
  ...{ to: z.string(), project: z.string(), scenario: z.string() },
  /** Variants by arm. */
  variants: z.record(z.string(), z.string()),
  labels: z.array(z.string()),
  /** Where the commands run; null, or absent in what earlier versions stored: not named. */
  environment: z.string().nullable().default(null),
})
export type Upload = z.infer<typeof uploadSchema>

interface Given {
  readonly to?: string | undefined
  readonly project?: string | undefined
  readonly scenario?: string | undefined
  readonly environment?: string | undefined
  readonly names?: string | undefined
  readonly label?: readonly string[] | undefined
}

/** Null: nothing is sent. Throws UsageError. */
export function readUpload(
  { to, project, scenario, environment, names, label = [] }: Given,
  env: Terminal['env'],
): Upload | null {
  if (project === undefined) {
    if (to !== undefined) throw new UsageError('--to needs --project NAME')
    return null
  }
  const server = to ?? env['TAILBOARD_URL']
  if (server === undefined) throw new UsageError('--project needs --to URL')
  if (!URL.canParse(server)) throw new UsageError(`--to takes an address, not ${server}`)
  const wrong = label.find((one) => readPair(one) === null)
  if (wrong !== undefined) throw new UsageError(`--label takes KEY=VALUE, not ${wrong}`)
  const [base = '', head = '', ...more] = (names ?? 'base,head').split(',').map((name) => name.trim())
  if (base === '' || head === '' || more.length > 0) throw new UsageError(`--names takes BASE,HEAD, not ${names ?? ''}`)
  const variants = { base, head, control: `${base} again` }
  return {
    to: server,
    project,
    scenario: scenario ?? 'rounds',
    variants,
    labels: [...label],
    environment: environment ?? null,
  }
}

interface Sent {
  readonly upload: Upload
  /** Of the round's outputs. */
  readonly folder: string
  readonly plan: Plan
}

/** Sends the runs of a round. One that is not taken is reported: its output remains in the folder. */
export async function sendRound(
  round: MeasuredRound,
  { upload, folder, plan }: Sent,
  terminal: Terminal,
): Promise<void> {
  for (const arm of round.order) {
    const query = new URLSearchParams({ create: '1', scenario: upload.scenario, variant: upload.variants[arm] ?? arm })
    query.set('startedAt', round.startedAt[arm] ?? '')
    query.set('again', '1')
    if (upload.environment !== null) query.set('environment', upload.environment)
    const name = path.basename(folder)
    const number = Number(name.split('-').at(-1))
    const labels = [
      `experiment=${plan.seed}`,
      `arm=${arm}`,
      `round=${number}`,
      `rounds=${plan.maxRounds}`,
      'order=drawn',
    ]
    for (const label of [...labels, ...upload.labels]) query.append('label', label)
    const file = path.join(folder, `${fileName(arm)}.txt`)
    const failure = await postFile(file, uploadAddress(upload.to, upload.project, query), terminal)
    if (failure !== null) terminal.report(`${printable(`${name} ${arm}: not uploaded: ${failure}`)}\n`)
  }
}
