import { programs } from '../../lib/run/tools'

/** One command of a shell line: `wrk -t2 http://…` in `time wrk -t2 http://… | tee out.txt`. */
export interface ShellCommand {
  /** Without its folder: `hey_linux_amd64`. */
  readonly program: string
  readonly args: readonly string[]
}

interface Token {
  readonly text: string
  /** `|`, `;`, `&&`: what follows is another command. */
  readonly isOperator: boolean
}

/** Any of the programs whose commands are read, as source of a regex. */
export const anyProgram = `(?:${[...programs.keys()].join('|')})`
const image = new RegExp(String.raw`(?:^|/)${anyProgram}(?::[\w.-]+)?$`)

/** Words that may precede a program. */
const wrappers = new Set(['sudo', 'time', 'nohup', 'exec', 'command', 'nice', 'env', 'do', 'then', '!', '{', '('])
const wrappersWithValue: Readonly<Record<string, number>> = { taskset: 2, timeout: 1, numactl: 1, chrt: 1 }

/** Splits a shell line into its commands, with quotes resolved and redirections left out. */
export function splitShellLine(text: string): ShellCommand[] {
  const commands: ShellCommand[] = []
  let words: string[] = []
  const end = () => {
    const command = nameProgram(words)
    if (command !== null) commands.push(command)
    words = []
  }
  for (const { text: word, isOperator } of readTokens(text)) {
    if (isOperator) end()
    else words.push(word)
  }
  end()
  return commands
}

function nameProgram(words: readonly string[]): ShellCommand | null {
  let at = 0
  for (;;) {
    const word = words[at]
    if (word === undefined) return null
    const values = wrappersWithValue[word]
    if (values !== undefined && Object.hasOwn(wrappersWithValue, word)) at += 1 + values
    else if (wrappers.has(word) || /^[A-Za-z_]\w*=/.test(word)) at++
    else break
  }
  if (words[at] === 'docker' || words[at] === 'podman') at = findImage(words, at)
  const program = words[at]?.split(/[/\\]/).at(-1)
  return program === undefined || program === '' ? null : { program, args: withoutRedirections(words.slice(at + 1)) }
}

/** `docker run --rm --net host williamyeh/hey:latest -n 10 …`: the image represents its program. */
function findImage(words: readonly string[], from: number): number {
  const at = words.findIndex((word, index) => index > from && image.test(word))
  return at < 0 ? from : at
}

function withoutRedirections(words: readonly string[]): string[] {
  const kept: string[] = []
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? ''
    // `<<< 'GET …'` stays: it contains a target.
    if (/^(?:\d|&)?(?:>>?|<)$/.test(word)) at++
    else if (!/^(?:\d|&)?>>?[^>]/.test(word)) kept.push(word)
  }
  return kept
}

function readTokens(text: string): Token[] {
  const tokens: Token[] = []
  let word = ''
  let hasWord = false
  let quote = ''
  const end = () => {
    if (hasWord) tokens.push({ text: word, isOperator: false })
    word = ''
    hasWord = false
  }
  for (let at = 0; at < text.length; at++) {
    const character = text[at] ?? ''
    if (quote !== '') {
      if (character === quote) quote = ''
      else if (character === '\\' && quote === '"') word += text[++at] ?? ''
      else word += character
    } else if (character === "'" || character === '"') {
      quote = character
      hasWord = true
    } else if (character === '\\' && /[\s"'\\|&;$?*]/.test(text[at + 1] ?? '')) {
      word += text[++at] ?? ''
      hasWord = true
    } else if (/\s/.test(character)) end()
    else if (character === '#' && !hasWord) break
    else if (character === '|' || character === ';' || (character === '&' && text[at + 1] === '&')) {
      end()
      tokens.push({ text: character, isOperator: true })
      if (text[at + 1] === character) at++
    } else {
      word += character
      hasWord = true
    }
  }
  end()
  return tokens
}

/** The options of a command: `-n 10`, `-n=10`, `--duration 5s`, and with `glued` also `-t16`. */
export interface Options {
  /** Name without dashes → value; empty for a flag. The last one counts. */
  readonly values: ReadonlyMap<string, string>
  readonly positional: readonly string[]
}

/** Reads options. `takesValue`: whether the next word is the value of the option of this name. */
export function readOptions(
  args: readonly string[],
  takesValue: (name: string) => boolean,
  { glued }: { readonly glued: boolean },
): Options {
  const values = new Map<string, string>()
  const positional: string[] = []
  for (let at = 0; at < args.length; at++) {
    const word = args[at] ?? ''
    const [, dashes, name, value] = /^(--?)([A-Za-z][\w-]*)(?:=(.*))?$/s.exec(word) ?? []
    const [, short, rest] = glued ? (/^-([A-Za-z])(.+)$/s.exec(word) ?? []) : []
    if (name !== undefined && value !== undefined) values.set(name, value)
    else if (short !== undefined && rest !== undefined && takesValue(short)) values.set(short, rest)
    else if (name !== undefined && (!glued || dashes === '--' || name.length === 1)) {
      if (takesValue(name)) values.set(name, args[++at] ?? '')
      else values.set(name, '')
    } else positional.push(word)
  }
  return { values, positional }
}
