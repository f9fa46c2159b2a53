import { respondJson } from '@/app/_server/http/respond'
import { openRoute } from '@/app/_server/http/route'
import { openapiDocument } from '@/app/_server/openapi/document'
import { settings } from '@/app/_server/settings'

/** The description of this API for programs. */
export const GET = openRoute(() => Promise.resolve(respondJson(openapiDocument(settings().hasAccounts))))
