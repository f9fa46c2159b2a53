/** The thread of the embedded database, recorded for `recordDisk`. */
import './recorder'
// What is recorded must be loaded afterwards.
import '../../../prisma/database-worker'
