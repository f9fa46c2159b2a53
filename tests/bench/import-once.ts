/** One file of results, one process: for import-speed.ts. */
import { heyCsv } from '../../importers/hey-csv'
import { vegetaCsv } from '../../importers/vegeta-csv'
import { vegetaGob } from '../../importers/vegeta-gob'
import { vegetaResultsJson } from '../../importers/vegeta-results-json'
import { printImport } from './print-import'

void printImport([vegetaGob, vegetaCsv, vegetaResultsJson, heyCsv])
