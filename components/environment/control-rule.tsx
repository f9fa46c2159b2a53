'use client'

import type { ControlRule } from '@/lib/project/control-rule'
import { settingLimits } from '@/lib/project/setting-limits'
import { SaveForm } from '../forms/save-form'

interface Props {
  readonly slug: string
  /** Null: the project has none. */
  readonly rule: ControlRule | null
}

/** By which label new runs make their series controls. */
export function ControlRuleForm({ slug, rule }: Props) {
  return (
    <SaveForm
      url={`/api/v1/projects/${slug}`}
      body={(text) => ({ controlRule: text('label') === '' ? null : { label: text('label'), is: text('is') } })}
      className="row wrap gap-8"
      explain="The rule applies to new uploads, by the labels that runs are saved with; control=1 in an upload marks its series as well. Empty: no rule."
    >
      Series are controls when label
      <input
        name="label"
        className="input"
        aria-label="Label of controls"
        placeholder="kind"
        defaultValue={rule?.label ?? ''}
        maxLength={settingLimits.label}
      />
      is
      <input
        name="is"
        className="input"
        aria-label="Value of controls"
        placeholder="static"
        defaultValue={rule?.is ?? ''}
        maxLength={settingLimits.labelValue}
      />
    </SaveForm>
  )
}
