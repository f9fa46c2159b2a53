/** Forms whose files hold a row for each request: what else is printed has no cube. */
const rowForms: ReadonlySet<string> = new Set([
  ...['vegeta-gob', 'vegeta-csv', 'vegeta-results-json', 'hey-csv', 'oha-csv', 'k6-ndjson', 'k6-csv'],
  ...['jmeter-csv', 'jmeter-xml', 'h2load-log', 'ab-times-tsv', 'ghz-json', 'ghz-csv'],
  ...['mapped-csv', 'mapped-json', 'mapped-ndjson'],
])

/** Logs of Lambda: their rows are invocations, as the function's side saw them. */
const logForms: ReadonlySet<string> = new Set(['lambda-log-file', 'lambda-json', 'lambda-insights-csv'])

/** Whether a run of this form may have a cube. */
export const mayHaveRows = (form: string): boolean => rowForms.has(form) || logForms.has(form)

/** Whether the rows in a box over the heat map of such a run may be asked. */
export const mayHaveBoxes = (form: string): boolean => rowForms.has(form)

/** Runs of one upload that are counted, the first ones: each takes a megabyte while it is read. */
export const maxCubes = 40
