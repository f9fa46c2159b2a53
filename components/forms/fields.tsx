import type { InputHTMLAttributes } from 'react'
import { Choice, type ChoiceOption } from './choice'

interface Named {
  readonly name: string
  readonly label: string
  /** The label is not shown: screen readers have it. */
  readonly isBare?: boolean
  /** Of the label around the field. */
  readonly className?: string | undefined
  /** Changes when the field must show another initial value; absent: never. */
  readonly version?: string
}

interface ChoiceField extends Named {
  readonly options: readonly ChoiceOption[]
  /** Absent: the first option. */
  readonly initial?: string
}

/** A text of several lines. */
interface LongField extends Named {
  readonly rows: number
  readonly maxLength?: number
  readonly defaultValue: string
}

type TextField = Named & Omit<InputHTMLAttributes<HTMLInputElement>, 'name' | 'className'>

/** A field of a form: a text, or one of a few values. */
export type FormField = TextField | LongField | ChoiceField

interface Refusal {
  /** Id of the text that says why the form was refused. */
  readonly problemId?: string | undefined
  readonly isRefused?: boolean | undefined
}

interface Props extends Refusal {
  readonly of: readonly FormField[]
  /** Of every label. */
  readonly labelClass?: string | undefined
}

/** The fields of a form, drawn from a table. */
export function Fields({ of, labelClass, ...refusal }: Props) {
  return of.map(({ label, isBare = false, className = labelClass, version, ...own }) => {
    const key = `${own.name} ${version}`
    const aria = {
      'aria-label': isBare ? label : undefined,
      'aria-invalid': refusal.isRefused === true || undefined,
      'aria-describedby': refusal.problemId,
    }
    const control =
      'options' in own ? (
        <Choice key={key} label={label} {...own} />
      ) : 'rows' in own ? (
        <textarea key={key} {...own} {...aria} className="input" />
      ) : (
        <input key={key} {...own} {...aria} className="input" />
      )
    if (isBare) return control
    return (
      <label key={key} className={className}>
        {label}
        {control}
      </label>
    )
  })
}
