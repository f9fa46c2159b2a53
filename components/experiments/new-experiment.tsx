'use client'

import { useRouter } from 'next/navigation'
import { planLimits } from '@/lib/experiment/plan-limits'
import { ActionForm } from '../forms/action-form'
import type { Fields } from '../ui/actions/action'
import { callApi, textOf } from '../ui/actions/call-api'
import styles from './new-experiment.module.css'

interface Props {
  readonly slug: string
  /** Metrics that can decide, the default first. */
  readonly metrics: readonly { readonly value: string; readonly name: string }[]
}

/** Plans an experiment, and opens its page. */
export function NewExperiment({ slug, metrics }: Props) {
  const router = useRouter()
  const send = async ({ text }: Fields) => {
    const made = await callApi('POST', `/api/v1/projects/${slug}/experiments`, {
      ...{ question: text('question'), base: text('base'), head: text('head'), metricId: text('metricId') },
      control: text('control') === 'yes',
      smallestRatio: text('matters') === '' ? null : Number(text('matters').replace(',', '.')) / 100,
      maxRounds: Number(text('maxRounds')),
    })
    router.push(`/p/${slug}/experiments/${textOf(made, 'id') ?? ''}`)
  }
  return (
    <ActionForm
      className={styles.form}
      label="New experiment"
      fieldsClass={`grid gap-12 ${styles.fields}`}
      labelClass={styles.field}
      fields={[
        {
          ...{ name: 'question', label: 'Question', required: true, maxLength: 200, autoComplete: 'off' },
          ...{ placeholder: 'Does caching the lookup make GET /checkout faster?', className: styles.wide },
        },
        { name: 'base', label: 'Base: a commit or build', required: true, maxLength: 200, autoComplete: 'off' },
        { name: 'head', label: 'Head: what is compared with it', required: true, maxLength: 200, autoComplete: 'off' },
        {
          name: 'control',
          label: 'Control: base again in each round',
          options: [
            { value: 'yes', name: 'With a control' },
            { value: 'no', name: 'Without: nothing is said about the set-up' },
          ],
        },
        { name: 'metricId', label: 'Metric that decides', options: metrics },
        {
          ...{ name: 'matters', label: 'Smallest change that matters, %', type: 'number', step: 'any' },
          ...{
            min: planLimits.leastRatio * 100,
            max: planLimits.mostRatio * 100,
            placeholder: 'as the rules of the project say',
          },
        },
        {
          ...{ name: 'maxRounds', label: 'Rounds at most', type: 'number', required: true, defaultValue: '24' },
          ...{ min: planLimits.leastRounds, max: planLimits.mostRounds },
        },
      ]}
      button="Plan it"
      buttonsClass={`row gap-12 ${styles.buttons}`}
      leaves
      send={send}
    >
      <p className={`muted text-13 ${styles.after}`}>
        Its order is drawn now. Runs come from a runner of yours, which asks this project what is next.
      </p>
    </ActionForm>
  )
}
