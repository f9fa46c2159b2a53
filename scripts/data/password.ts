/**
 * `tailboard password EMAIL` and `npm run password -- EMAIL`: a new password for an account that cannot sign in, printed
 * once. The embedded database must not be open in a server.
 */
import { resetPassword } from '../../app/_server/accounts/reset-password'
import { EX_CONFIG, failStart } from '../../app/_server/lifecycle'
import { readSettings } from '../../app/_server/settings'
import { closeDatabase, openDatabase } from '../../prisma/db'
import { existingData } from './existing-data'

const [email] = process.argv.slice(2)
if (email === undefined) failStart('Name the account: npm run password -- EMAIL', EX_CONFIG)
const settings = existingData(readSettings(process.env))
try {
  await openDatabase(settings)
  const password = await resetPassword(email)
  await closeDatabase()
  if (password === null) failStart(`No enabled account has the e-mail address ${email}.`)
  process.stdout.write(`${password}\n`)
  process.stderr.write(`is the password of ${email} from now on; its sessions ended. Change it under Account.\n`)
} catch (error) {
  failStart(error, EX_CONFIG)
}
