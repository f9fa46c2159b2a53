import { requestOrigin } from '../http/request-origin'
import { settings } from '../settings'

/** Where strangers reach this server; without a public address, as the client addressed us. */
export const strangersOrigin = (headers: Headers): string => settings().publicUrl ?? requestOrigin(headers)

/** The page of the share with this token. */
export const shareUrl = (token: string, headers: Headers): string => `${strangersOrigin(headers)}/s/${token}`
