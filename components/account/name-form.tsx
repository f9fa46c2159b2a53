'use client'

import { SaveForm } from '../settings/save-form'
import styles from './account.module.css'

/** The name shown beside the account's actions; the e-mail address stays. */
export function NameForm({ name, email }: { readonly name: string; readonly email: string }) {
  return (
    <SaveForm url="/api/v1/account" body={(text) => ({ name: text('name') })} className={styles.row}>
      <label>
        Name
        <input name="name" className="input" autoComplete="name" defaultValue={name} required maxLength={200} />
      </label>
      <label>
        E-mail
        <input className="input" type="email" value={email} readOnly />
      </label>
    </SaveForm>
  )
}
