import type { ReactNode } from 'react'

interface Props {
  readonly name: string
  /** Label of the button. */
  readonly action: string
  onName(name: string): void
  onCancel(): void
  readonly children?: ReactNode
}

/** The name of a saved comparison, to be given or changed. */
export function NameForm({ name, action, onName, onCancel, children }: Props) {
  return (
    <form
      className="row wrap gap-8"
      onSubmit={(event) => {
        event.preventDefault()
        onName(String(new FormData(event.currentTarget).get('name') ?? ''))
      }}
    >
      <input className="input" name="name" aria-label="Name" defaultValue={name} maxLength={200} required autoFocus />
      <button type="submit" className="button button-primary">
        {action}
      </button>
      <button type="button" className="button" onClick={onCancel}>
        Cancel
      </button>
      {children}
    </form>
  )
}
