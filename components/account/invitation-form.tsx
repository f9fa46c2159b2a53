import { minPasswordLength, type OpenInvitation } from '@/lib/account/account'
import { Fields, type FormField } from '../forms/fields'
import styles from './entry.module.css'
import { SignOnLink } from './sign-in-form'

interface Props {
  /** The secret of the link. */
  readonly token: string
  readonly invitation: OpenInvitation
  /** The account that accepts it; null: a new one. */
  readonly signedInAs: string | null
  /** Why the form was refused, and what was in it. */
  readonly error: string | null
  readonly name: string
  readonly email: string
  readonly provider: string | null
}

/** What an invitation is for, and the form that accepts it: works without a script. */
export function InvitationForm({ token, invitation, signedInAs, error, name, email, provider }: Props) {
  const { project, isOwner, isHeld } = invitation
  const isNew = signedInAs === null
  if (isHeld) return <HeldInvitation project={project} />
  return (
    <>
      <h1 className="page-title">{isOwner ? 'Set up Tailboard' : 'You are invited'}</h1>
      <p>
        {project !== null && (
          <>
            To the project <strong>{project.name}</strong> as {project.role}.{' '}
          </>
        )}
        {isOwner && 'This account administers the server: every project, and who may sign in. '}
        {isNew ? 'Create your account.' : `You are signed in as ${signedInAs}.`}
      </p>
      {error !== null && (
        <p className="notice notice-error" role="alert">
          {error}
        </p>
      )}
      <form className={styles.form} method="post" action="/api/v1/invitations/accept">
        <input type="hidden" name="token" value={token} />
        {isNew && <Fields of={accountFields(name, invitation.email, email)} />}
        <button type="submit" className="button button-primary">
          {isNew ? 'Create account' : 'Accept'}
        </button>
      </form>
      {isNew && provider !== null && <SignOnLink provider={provider} query={{ invitation: token }} />}
    </>
  )
}

/** `invited`: the only address that the link is for; null: any. */
const accountFields = (name: string, invited: string | null, email: string): readonly FormField[] => [
  {
    name: 'name',
    label: 'Name',
    autoComplete: 'name',
    required: true,
    maxLength: 200,
    defaultValue: name,
    autoFocus: true,
  },
  {
    name: 'email',
    label: 'E-mail',
    type: 'email',
    autoComplete: 'username',
    required: true,
    maxLength: 254,
    readOnly: invited !== null,
    defaultValue: invited ?? email,
  },
  {
    name: 'password',
    label: `Password, ${minPasswordLength} characters or more`,
    type: 'password',
    autoComplete: 'new-password',
    required: true,
    minLength: minPasswordLength,
    maxLength: 256,
  },
]

/** Shown when there is nothing to accept, with a link onwards; the link stays open for others. */
function HeldInvitation({ project }: Pick<OpenInvitation, 'project'>) {
  return (
    <>
      <h1 className="page-title">You have this role already</h1>
      <p>
        {project === null ? (
          'Your account needs no invitation to this server. '
        ) : (
          <>
            This link invites to the project <strong>{project.name}</strong> as {project.role}: your role is that or a
            higher one, and stays.{' '}
          </>
        )}
        The link is not used up.
      </p>
      <p>
        <a className="button button-primary" href={project === null ? '/' : `/p/${project.slug}`}>
          Continue
        </a>
      </p>
    </>
  )
}
