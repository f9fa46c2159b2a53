const general = `tailboard – honest comparisons of load tests

  tailboard compare A B                     two outputs, or folders of repeats
  tailboard compare 'a/*.txt' -- 'b/*.txt'  repeats of two sides, in rounds
  tailboard open A B                        the same as a page in a browser
  tailboard show FILE…                      what was read, in words
  tailboard parse FILE…                     the same as JSON
  tailboard capacity FILE… --slo 'p99<100ms'  how much a system holds
  tailboard rounds --base CMD --head CMD    runs both until it is known
  tailboard bisect GOOD BAD --run CMD       which commit made the change
  tailboard session start --base CMD        many attempts, one budget of error
  tailboard why A B                         what a difference stands with
  tailboard upload FILE… --to URL --project NAME [--gate]
  tailboard serve [--port N] [--data DIR]   the server: history, trends, alerts
  tailboard backup FILE · restore FILE · password EMAIL   on its data
  tailboard help [COMMAND] · --version

A FILE is output of hey, vegeta, wrk, oha, k6, JMeter, Locust, AWS Lambda and
others, a document with it, an archive, a folder, a glob, or - for standard
input.

Exit codes: 0 not worse · 1 worse or failing · 2 unreadable · 3 undecided
`

const compare = `tailboard compare A B [C…]        each a file, a folder or a glob of repeats
tailboard compare A… -- B…        several files a side

The first side is the base. Repeats are paired in rounds by their start times,
or by when their files were written. One run a side is never called worse: the
last sentence says how many rounds would decide.

  --json            the comparison, as the API's data.json
  --md              a table for a pull request
  --html FILE       also writes a page with charts, which needs no server
  --metrics LIST    p99,mean,… instead of the default ones
  --steady          judge the part after each run's warm-up
  --strict          exit with 3 if the leading metric is undecided

Of documents with several runs, those of the same scenario, variant and
environment are compared. Exit codes: 0 not worse · 1 worse or failing ·
2 unreadable · 3 undecided (--strict)
`

const openHelp = `tailboard open A B [C…]

Compares as compare does, with its options, writes a page with charts into a
temporary folder and opens it: in BROWSER, or the default browser.
`

const show = `tailboard show FILE…

Prints the figures of every run that was found, and what to know of them.

  --json            the runs as JSON, like parse
`

const parse = `tailboard parse FILE…

Prints what the importers read from files as one JSON document: runs, problems
and the SHA-256 of the bytes. Exits with 2 if a file could not be read
completely.
`

const upload = `tailboard upload FILE… --to URL --project NAME

  --to URL          the server; default TAILBOARD_URL, or http://127.0.0.1:3000
  --project NAME    as in the addresses of its pages; created if it is new
  --label KEY=VALUE a label for all runs; repeatable
  --scenario, --variant, --environment NAME   names for all runs
  --gate            print the verdict; exit with 1 if something is worse
  --repeat auto     with --gate: exit with 75 if the commit must be run again
                    before it is judged; auto:6 asks for up to six repeats
  --candidate       judge the runs without adding them to their series

A token, if the server has accounts, comes from TAILBOARD_TOKEN.
`

const capacity = `tailboard capacity FILE… --slo 'p99<100ms' [--slo 'success>99.9%']

Runs of one system at several loads: how much it holds within all objectives,
between which loads that is sure, and which load to run next. Runs that differ
in more than the load are taken apart.

  --slo OBJECTIVE   p50, p90, p95, p99, p99.9, mean (ms, s) or success (%);
                    repeatable
  --label KEY=VALUE of the files after it: rate, connections, machine, payload,
                    instances; --label rate=400 a.json where an output
                    does not state its own
  --target N        requests per second: instances and headroom for them
  --price 0.17/h    of an instance
  --json, --md      as JSON, or as a table for a pull request

Exit codes: 0 known · 2 unreadable · 3 refused or undecided
`

const rounds = `tailboard rounds --base CMD --head CMD

Runs both in turn, in an order that is drawn, reads what they print, and stops
when it is known which is better, or that neither is.

  --control         runs base again in each round: what the set-up itself does
  --on METRIC       that decides; default p99
  --matters 5%      what matters; default: the project's rules with --to, or 2%
  --max 24, --max-runs N, --max-time 1h    rounds, runs, time at most
  --setup CMD, --sleep 2s    before each run; TAILBOARD_ARM: base, head, control
  --timeout 5m      of a run
  --out DIR         for results; default rounds-1, rounds-2, …
  --resume          continues the newest, or those in --out
  --seed TEXT       draws the same order again
  --strict, --json  exit with 3 if it is undecided; the result as JSON
  --to URL --project NAME [--scenario S] [--environment E] [--names BASE,HEAD]
                    [--label K=V]: uploads the runs of each finished round too

A run that fails, hangs or prints no result makes its round void: it is run
again, and three in a row end it. Ctrl-C ends after a round; again: at once.

Exit codes: 0 not worse · 1 worse or failing · 2 unreadable, void rounds
3 undecided (--strict) · 4 unproven: the control moved · 130 Ctrl-C
`

const bisect = `tailboard bisect GOOD BAD --run CMD [--build CMD]

Which commit made a change: GOOD and BAD are run in turn until it shows, then
GOOD and the commit that says most, until one is sure by 95 %.

  --run CMD         in a checkout of each commit; TAILBOARD_COMMIT names it.
                    Exit 125: this commit cannot be run
  --build CMD       before its first run; a commit that fails is left out
  --names FILE      an ordered list, one name a line, instead of git
  --on METRIC       that decides; default p99
  --matters 2%      the smallest change that matters
  --max-runs 240    runs at most
  --setup CMD, --sleep 2s, --timeout 5m    as for rounds
  --build-timeout 30m
  --out DIR, --resume, --seed TEXT         as for rounds; default bisect-1, …
  --json            the result as JSON

Exit codes: 0 one commit, or some that nothing separates · 2 unreadable, or
GOOD or BAD cannot be run · 3 none, two steps, or undecided · 130 Ctrl-C
`

const session = `tailboard session start --base CMD [--planned 20] [--max-runs 1000]
tailboard session attempt NAME --run CMD [--digest TEXT]
tailboard session conclude · log

Many attempts at one base: each is run in turn with the best so far, and is the
new best only if its gain is sure within one budget of error for all of them
(5 %). At the end the best is run against the original base in fresh rounds:
that is the gain to report.

  --run CMD         the best so far and this change; must run later as it is
  --digest TEXT     of the change: the same one again is a duplicate
  --matters 2%, --on METRIC, --max 32      gain, metric and rounds of an attempt
  --setup CMD, --sleep 2s, --timeout 5m    as for rounds
  --out DIR         default session-1, …: the newest
  --json            each verdict as JSON

Exit codes of attempt: 0 keep · 1 revert, duplicate or not run · 2 unreadable ·
4 suspect: it does less. Of conclude: 0 confirmed · 3 not · 130 Ctrl-C
`

const why = `tailboard why A B

What the difference between two runs stands with, from their rows: targets,
statuses, headers, new connections, cold starts, a stretch of time, all alike,
or nothing that was recorded. It names what stands out, never what caused it.

  --log FILE        Lambda's log of the same requests, by request id: of A,
                    then of B
  --json, --md      as JSON, or as tables for a pull request

tailboard why A [--log FILE]   how much of a run's latency is the server's,
                    from Server-Timing, x-envoy-upstream-service-time or the log

Exit codes: 0 known or nothing stands out · 2 unreadable · 3 refused: other
tools, printed reports, or a log that cannot be laid over the run
`

const serve = `tailboard serve

  --port N          default 3000, or PORT
  --data DIR        the data folder; default TAILBOARD_DATA, or ~/.tailboard;
                    in a clone, its data

Other settings are environment variables: docs/operate.md.
`

const backup = `tailboard backup FILE

Writes all that a server stores into one tar, while it runs or not. The file
contains keys: protect it as the data itself.

  --data DIR        the data folder; default TAILBOARD_DATA, or ~/.tailboard;
                    in a clone, its data

DATABASE_URL and TAILBOARD_S3_… count as for the server: docs/operate.md.
`

const restore = `tailboard restore FILE

Restores a backup into an empty data folder, and an empty database if
DATABASE_URL names one: of either kind, whichever it was made of.

  --data DIR        the data folder; default TAILBOARD_DATA, or ~/.tailboard;
                    in a clone, its data
`

const password = `tailboard password EMAIL

Prints a new password for an account that cannot sign in, and ends its
sessions. Stop a server with the embedded database first.

  --data DIR        the data folder; default TAILBOARD_DATA, or ~/.tailboard;
                    in a clone, its data
`

const texts: Readonly<Record<string, string>> = {
  ...{ compare, open: openHelp, show, parse, upload, capacity, rounds, bisect, session, why },
  ...{ serve, backup, restore, password },
}

/** The help of a command; of all for none, or an unknown one. */
export const helpOf = (command: string | undefined): string => texts[command ?? ''] ?? general
