/** One Lambda log in one process, for import-speed.ts. Separate because it loads a library that the others do not. */
import { lambdaLogFile } from '../../importers/lambda/lambda-log-file'
import { printImport } from './print-import'

void printImport([lambdaLogFile])
