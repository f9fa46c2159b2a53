import * as z from 'zod'

/** Everything that the audit log records, as a sentence without its subject: “Ada moved an alert”. */
export const auditWords = {
  'account.link': 'linked their account with single sign-on',
  'account.reset-password': 'reset the password of an account',
  'account.set-password': 'changed their password',
  'account.unlink': 'unlinked an account from single sign-on',
  'account.update': 'changed an account',
  'alert.assign': 'assigned an alert',
  'alert.comment': 'commented on an alert',
  'alert.move': 'changed the state of an alert',
  'annotation.create': 'added an annotation',
  'annotation.delete': 'deleted an annotation',
  'badge.create': 'created a badge',
  'badge.revoke': 'revoked a badge',
  'baseline.clear': 'cleared a baseline',
  'baseline.set': 'set a baseline',
  'cell-note.set': 'wrote the note of a cell',
  'channel.create': 'created a notification channel',
  'channel.delete': 'deleted a notification channel',
  'channel.test': 'tested a notification channel',
  'channel.update': 'changed a notification channel',
  'comparison.create': 'saved a comparison',
  'comparison.delete': 'deleted a saved comparison',
  'comparison.update': 'changed a saved comparison',
  'delivery.replay': 'sent a message again',
  'experiment.create': 'planned an experiment',
  'experiment.next': 'gave out a run of an experiment',
  'experiment.stop': 'stopped an experiment',
  'experiment.void': 'reported a failed run of an experiment',
  'invitation.accept': 'accepted an invitation',
  'invitation.create': 'created an invitation',
  'invitation.revoke': 'revoked an invitation',
  'mapping.delete': 'deleted a mapping of columns',
  'mapping.set': 'set a mapping of columns',
  'member.remove': 'removed a member',
  'member.update': 'changed the role of a member',
  'project.create': 'created a project',
  'project.delete': 'deleted a project',
  'project.update': 'changed the settings of a project',
  'retention.set': 'changed the retention',
  'rule.create': 'created a rule',
  'rule.delete': 'deleted a rule',
  'rule.update': 'changed a rule',
  'run.delete': 'trashed a run',
  'run.move': 'moved a run to another project',
  'run.restore': 'restored a run',
  'run.update': 'changed a run',
  'run.split': 'split a merged run',
  'runs.change': 'changed runs together',
  'runs.merge': 'merged runs into one',
  'series.update': 'changed a series',
  'session.create': 'signed in',
  'session.refuse': 'failed to sign in',
  'session.revoke': 'signed a session out',
  'session.attempt': 'tried a change in a session',
  'session.conclude': 'had the best of a session confirmed',
  'session.next': 'gave out a run of a session',
  'session.start': 'started a session of attempts',
  'session.void': 'reported a failed run of a session',
  'share.create': 'created a share link',
  'share.revoke': 'revoked a share link',
  'share.update': 'changed a share link',
  'token.create': 'created a token',
  'token.revoke': 'revoked a token',
  'trash.change': 'restored or deleted things of the trash',
  'upload.cancel': 'cancelled an upload',
  'upload.create': 'uploaded output',
  'upload.delete': 'trashed an upload',
  'upload.map': 'read a draft by a mapping',
  'upload.reimport': 'imported an upload again',
  'upload.restore': 'restored an upload',
  'upload.save': 'saved a draft',
} as const satisfies Readonly<Record<string, string>>

export type AuditAction = keyof typeof auditWords

export const auditActionSchema = z.enum(Object.keys(auditWords) as [AuditAction, ...AuditAction[]])

/** An entry of the audit log. */
export interface AuditRow {
  readonly id: string
  readonly at: string
  readonly who: string
  /** Whether a token did it. */
  readonly isToken: boolean
  readonly action: AuditAction
  /** Ids and names by kind. */
  readonly subject: Readonly<Record<string, string>>
  /** The name of the affected account; null: none, or it is gone. */
  readonly about: string | null
  readonly address: string
  /** Null: the installation. */
  readonly project: { readonly slug: string; readonly name: string } | null
}
