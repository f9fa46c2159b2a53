'use client'

import { SaveForm } from '../forms/save-form'
import styles from './account.module.css'

/** The name shown beside the account's actions; the e-mail address stays. */
export function NameForm({ name, email }: { readonly name: string; readonly email: string }) {
  return (
    <SaveForm
      url="/api/v1/account"
      body={(text) => ({ name: text('name') })}
      className={styles.row}
      fields={[
        { name: 'name', label: 'Name', autoComplete: 'name', defaultValue: name, required: true, maxLength: 200 },
        { name: 'email', label: 'E-mail', type: 'email', value: email, readOnly: true },
      ]}
    />
  )
}
