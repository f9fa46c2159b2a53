/** One Lambda log, one process: for import-speed.ts. It brings a library of its own, which the others do not load. */
import { lambdaLogFile } from '../../importers/lambda/lambda-log-file'
import { printImport } from './print-import'

void printImport([lambdaLogFile])
