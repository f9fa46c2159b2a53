/** The thread of the embedded database, recorded for `recordDisk`. */
import './recorder'
// Everything that is recorded must be loaded afterwards.
import '../../../prisma/database-worker'
