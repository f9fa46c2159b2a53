/** One file of JMeter or k6 rows in one process, for import-speed.ts. */
import { jmeterCsv } from '../../importers/jmeter/jmeter-csv'
import { k6Ndjson } from '../../importers/k6/k6-ndjson'
import { printImport } from './print-import'

void printImport([jmeterCsv, k6Ndjson])
