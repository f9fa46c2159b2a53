import { unverifiedPassword } from '@/lib/account/account'
import { Fields, type FormField } from '../forms/fields'
import styles from './entry.module.css'

const reasons = {
  wrong: 'The e-mail address or the password is wrong.',
  unverified: unverifiedPassword,
  often: 'Too many attempts. Wait a minute, then try again.',
  unknown: 'That identity has no account here. Ask for an invitation.',
  linked:
    'Your account here is linked with another identity of that provider. Ask an owner of this server to unlink it, then sign in again.',
  away: 'The provider does not respond at the moment. Try again later.',
  provider: 'The sign-in there did not succeed. Try again.',
} as const

export type SignInError = keyof typeof reasons

/** Whether an address has an error that the page knows. */
export const isSignInError = (text: string): text is SignInError => text in reasons

const fields: readonly FormField[] = [
  {
    name: 'email',
    label: 'E-mail',
    type: 'email',
    autoComplete: 'username',
    required: true,
    maxLength: 254,
    autoFocus: true,
  },
  {
    name: 'password',
    label: 'Password',
    type: 'password',
    autoComplete: 'current-password',
    required: true,
    maxLength: 256,
  },
]

interface Props {
  /** Where to go after signing in. */
  readonly next: string
  readonly error: SignInError | null
  /** Name of the single sign-on provider; null: there is none. */
  readonly provider: string | null
}

/** Signs in with a form that browsers send natively: no script is needed. */
export function SignInForm({ next, error, provider }: Props) {
  return (
    <>
      <h1 className="page-title">Sign in</h1>
      {error !== null && (
        <p id="sign-in-error" className="notice notice-error" role="alert">
          {reasons[error]}
        </p>
      )}
      <form className={styles.form} method="post" action="/api/v1/session">
        <input type="hidden" name="next" value={next} />
        <Fields of={fields} problemId="sign-in-error" isRefused={error === 'wrong'} />
        <button type="submit" className="button button-primary">
          Sign in
        </button>
      </form>
      {provider !== null && <SignOnLink provider={provider} query={{ next }} />}
    </>
  )
}

interface SignOnProps {
  readonly provider: string
  readonly query: Readonly<Record<string, string>>
}

/** The other way: single sign-on at a provider. */
export function SignOnLink({ provider, query }: SignOnProps) {
  return (
    <>
      <p className={`muted ${styles.or}`}>or</p>
      <p className={`flex ${styles.other}`}>
        <a className="button" href={`/api/v1/session/oidc?${new URLSearchParams(query)}`}>
          Continue with {provider}
        </a>
      </p>
    </>
  )
}
