import { escapeHtml } from '../../../platform/content/escape-html.js'
import { hashSource } from '../../../platform/content/page-policy.js'
import type { ExportedFile } from './exported-files.js'
import type { ExportWords } from './export-words.js'

const STYLE = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif }
body { max-width: 48rem; margin: 2rem auto; padding: 0 1rem; overflow-wrap: anywhere }
h1 { font-size: 1.5rem }
h2 { font-size: 1.15rem; margin-top: 2rem }
table { width: 100%; border-collapse: collapse }
th, td { text-align: start; padding: 0.25rem 0.75rem 0.25rem 0; vertical-align: top }
article { margin: 1rem 0; padding: 0.5rem 0.75rem; border-inline-start: 0.25rem solid light-dark(#8fa3b0, #5b6b76) }
article.own { border-color: light-dark(#0b5d8a, #7cc4ee) }
article.internal { border-color: light-dark(#a15c00, #e0a94a); background: light-dark(#fff6e5, #2b2313) }
article header, footer, .mute { color: light-dark(#56626b, #a3aeb6); font-size: 0.875rem }
article p { margin: 0.25rem 0; white-space: pre-wrap }
`
/** The policy of a page that is opened from a disk: nothing in it runs or loads. */
const POLICY = `default-src 'none'; style-src ${hashSource(STYLE)}`

/** A message or a note, to be read. */
export interface Turn {
  at: Date
  author: string
  text: string
  file: ExportedFile | null
  isOwn: boolean
  isInternal: boolean
}

export interface PageFrame {
  words: ExportWords
  format: (at: Date) => string
}

/** A conversation in the overview. */
export interface Listed {
  path: string
  at: Date
  by: string | null
  messages: number
}

/** Writes a page of what was said, with links relative to a folder of the ZIP. */
export async function* turnsPage(
  { words, format }: PageFrame,
  { title, up, turns }: { title: string; up: string; turns: AsyncIterable<Turn> },
): AsyncGenerator<string> {
  yield head(words, title)
  yield `<p><a href="${up}index.html">${escapeHtml(words.back)}</a></p>\n<h1>${escapeHtml(title)}</h1>\n`
  for await (const turn of turns) {
    if (turn.text === '' && !turn.file) continue
    const kind = turn.isInternal ? ' class="internal"' : turn.isOwn ? ' class="own"' : ''
    const mark = turn.isInternal ? ` · ${escapeHtml(words.internal)}` : ''
    yield `<article${kind}><header>${time(format, turn.at)} · <bdi>${escapeHtml(turn.author)}</bdi>${mark}</header>`
    if (turn.text !== '') yield `<p dir="auto">${escapeHtml(turn.text)}</p>`
    if (turn.file) yield `<p>${fileLink(turn.file, up)}</p>`
    yield '</article>\n'
  }
  yield END
}

export interface Overview {
  organization: string
  timezone: string
  at: Date
  /** Name and addresses of the contact. */
  known: readonly string[]
  conversations: readonly Listed[]
  files: readonly { file: ExportedFile; isMissing: boolean }[]
  hasNotes: boolean
}

/** Writes the page with which whoever opens the ZIP begins. */
export function* overviewPage({ words, format }: PageFrame, given: Overview): Generator<string> {
  const { organization, timezone, at, known, conversations, files, hasNotes } = given
  yield head(words, words.title(organization))
  yield `<h1>${escapeHtml(words.title(organization))}</h1>\n<p>${escapeHtml(words.made(format(at), timezone))}</p>\n`
  yield `<ul>${known.map((each) => `<li><bdi>${escapeHtml(each)}</bdi></li>`).join('')}</ul>\n`
  if (conversations.length > 0) {
    yield `<h2>${escapeHtml(words.conversations)}</h2>\n<table><thead><tr><th scope="col">${escapeHtml(words.begun)}</th>`
    yield `<th scope="col">${escapeHtml(words.by)}</th><th scope="col">${escapeHtml(words.messages)}</th></tr></thead><tbody>\n`
    for (const each of conversations) {
      const link = `<a href="${each.path}">${time(format, each.at)}</a>`
      yield `<tr><td>${link}</td><td>${escapeHtml(each.by ?? '–')}</td><td>${each.messages}</td></tr>\n`
    }
    yield '</tbody></table>\n'
  }
  if (hasNotes) yield `<h2><a href="notes.html">${escapeHtml(words.notes)}</a></h2>\n`
  if (files.length > 0) {
    yield `<h2>${escapeHtml(words.files)}</h2>\n<ul>\n`
    for (const { file, isMissing } of files) {
      yield isMissing
        ? `<li><bdi>${escapeHtml(file.fileName)}</bdi>: ${escapeHtml(words.missing)}</li>\n`
        : `<li>${fileLink(file, '')}</li>\n`
    }
    yield '</ul>\n'
  }
  yield `<h2>${escapeHtml(words.data)}</h2>\n<ul>\n`
  for (const [path, what] of Object.entries(words.tables)) {
    if (path === 'notes.json' && !hasNotes) continue
    yield `<li><a href="${path}">${path}</a>: ${escapeHtml(what)}</li>\n`
  }
  yield `</ul>\n${END}`
}

const END = '</body>\n</html>\n'

const head = ({ language }: ExportWords, title: string): string => `<!doctype html>
<html lang="${language}">
<head><meta charset="utf-8"><meta http-equiv="content-security-policy" content="${escapeHtml(POLICY)}"><title>${escapeHtml(title)}</title><meta name="viewport" content="width=device-width"><style>${STYLE}</style></head>
<body>
`

const time = (format: PageFrame['format'], at: Date): string =>
  `<time datetime="${at.toISOString()}">${escapeHtml(format(at))}</time>`

function fileLink({ path, fileName }: ExportedFile, up: string): string {
  const href = path.split('/').map(encodeURIComponent).join('/')
  return `<a href="${up}${escapeHtml(href)}"><bdi>${escapeHtml(fileName)}</bdi></a>`
}
