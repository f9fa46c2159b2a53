import { mayHaveRows } from '../cube/row-forms'
import { mergedForm } from '../run/merged-form'

/** Whether what a difference stands with may be asked of such a run: of a merged one, by its parts. */
export const mayBeExplained = (form: string): boolean => mayHaveRows(form) || form === mergedForm
