import * as alerts from './alerts'
import * as channels from './channels'
import { byAddress, type Operations } from './operation'
import * as rules from './rules'

/** Alerts, the rules that raise them, and where they are sent. */
export const alertOperations: Operations = { ...byAddress(alerts), ...byAddress(rules), ...byAddress(channels) }
