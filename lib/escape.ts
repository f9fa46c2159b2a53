/** Text as it stands between tags, and in Slack's mrkdwn, whose control characters are the same three. */
export const escapeText = (text: string): string =>
  text.replace(/[&<>]/g, (character) => entities[character] ?? character)

/** Text escaped for HTML, XML and SVG: between tags and in attributes in double quotes. */
export const escapeMarkup = (text: string): string =>
  text.replace(/[&<>"]/g, (character) => entities[character] ?? character)

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
