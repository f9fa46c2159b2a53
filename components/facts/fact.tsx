import type { ReactNode } from 'react'
import { formatChange, formatMetric, missing } from '@/lib/format'
import type { Fact as FactOf } from '@/lib/run/fact'
import { factAttributes } from './fact-attributes'

/** Parts that are relative, whatever the unit of their metric. */
const ratios: ReadonlySet<string> = new Set(['effect'])

interface Props {
  /** Null: the element shows no fact. */
  readonly of: FactOf | null
  /** The part of the fact that the element prints. */
  readonly part?: string
  readonly as?: 'span' | 'td' | 'dd' | 'p' | 'h1' | 'small'
  readonly className?: string | undefined
  readonly title?: string | undefined
  readonly 'data-tone'?: string | undefined
  readonly 'data-label'?: string | undefined
  readonly 'data-state'?: string | undefined
  readonly 'data-verdict'?: string | undefined
  readonly 'data-few'?: boolean | undefined
  /** Its text if a column has one unit; absent: with a unit of its own. */
  readonly children?: ReactNode
}

/** Prints a number of a fact; tests find it by the key, with the unrounded value. */
export function Fact({ of, part = 'value', as: Element = 'span', children, ...rest }: Props) {
  return (
    <Element {...rest} {...factAttributes(of, part)}>
      {children ?? (of === null ? missing : textOf(of, part))}
    </Element>
  )
}

function textOf({ value, unit, bound }: FactOf, part: string): string {
  const one = value[part] ?? null
  if (typeof one === 'string') return one
  if (ratios.has(part)) return formatChange(one)
  return `${bound ?? ''}${formatMetric(one, unit ?? 'count')}`
}
