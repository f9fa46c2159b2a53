/** One file of results in one process, for import-speed.ts. */
import { heyCsv } from '../../importers/hey/hey-csv'
import { vegetaCsv } from '../../importers/vegeta/vegeta-csv'
import { vegetaGob } from '../../importers/vegeta/vegeta-gob'
import { vegetaResultsJson } from '../../importers/vegeta/vegeta-results-json'
import { printImport } from './print-import'

void printImport([vegetaGob, vegetaCsv, vegetaResultsJson, heyCsv])
