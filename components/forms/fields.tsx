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

type TextField = Named & Omit<InputHTMLAttributes<HTMLInputElement>, 'name' | 'className'>

/** A field of a form: a text, or one of a few values. */
export type FormField = TextField | ChoiceField

interface Refusal {
  /** Id of the text that says why the form was refused. */
  readonly problemId?: string | undefined
  readonly isRefused?: boolean | undefined
}

/** The fields of a form, drawn from a table. */
export function Fields({ of, ...refusal }: Refusal & { readonly of: readonly FormField[] }) {
  return of.map((field) => <Field key={`${field.name} ${field.version}`} field={field} {...refusal} />)
}

function Field({ field, problemId, isRefused }: Refusal & { readonly field: FormField }) {
  const { label, isBare = false, className, version: _, ...own } = field
  const control =
    'options' in own ? (
      <Choice label={label} {...own} />
    ) : (
      <input
        {...own}
        className="input"
        aria-label={isBare ? label : undefined}
        aria-invalid={isRefused || undefined}
        aria-describedby={problemId}
      />
    )
  if (isBare) return control
  return (
    <label className={className}>
      {label}
      {control}
    </label>
  )
}
