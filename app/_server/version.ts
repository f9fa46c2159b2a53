import packageJson from '../../package.json'

/** Of the server, the command line and the package: one number. */
export const { version } = packageJson
